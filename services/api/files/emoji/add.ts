import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { lockRole } from '#shared/access/account-locks.ts'
import { personOf } from '#shared/access/person.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { type EmojiFiles, isEmojiName, MOST_EMOJI, newEmojiFiles } from '#shared/domain/custom-emoji.ts'
import { hasRight, type Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { spendUpload } from '#shared/posting/files.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { findImage } from '#shared/runtime/images.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Made, madeOnce } from '../../middleware/made-once.ts'
import { convert } from './convert.ts'
import { payloadOf } from './payload.ts'
import { countEmoji, type EmojiRow, findEmoji, insertEmoji, lockEmoji } from './queries.ts'
import { isShippedName } from './shipped-names.ts'

export interface EmojiDraft {
  name: string | undefined
  upload: { path: string } | undefined
  clientId: string | undefined
}

/** Adds an emoji (interface 13.2). The api reads the header of the picture only; `previews-pictures` decodes it. */
export async function addEmoji(stores: Stores, actor: Actor, draft: EmojiDraft): Promise<Made> {
  const { name, upload, clientId } = draft
  if (!name) throw errors.missing('name')
  if (!isEmojiName(name))
    throw errors.invalid('name must have 2 to 32 of the characters a to z, 0 to 9, _, + and -')
  if (!upload) throw errors.missing('image')
  return madeOnce(stores.db, actor.actor, '/emoji', clientId, async keep => {
    if ((await isShippedName(name)) || (await findEmoji(stores.db, name))) throw nameTaken(name)
    if (!(await findImage(upload.path))) throw notAnImage()
    await spendUpload(stores, actor.actor, (await stat(upload.path)).size)
    const files = newEmojiFiles(randomUUID())
    let isKept = false
    try {
      await stores.files.keep(upload.path, files.source)
      const made = await convert(stores, files, actor.actor)
      if (!made) throw notAnImage()
      const row = { name, file: files.picture, created_by: actor.actor, ...made }
      const body = await runTransaction(stores, 'changeEmoji', {}, async tx => {
        await insert(stores, tx, actor, row)
        const body = payloadOf(row)
        await keep(tx, { status: 201, body })
        return body
      })
      isKept = true
      return { status: 201, body }
    } finally {
      await removeFiles(stores, files, isKept)
    }
  })
}

async function insert(stores: Stores, tx: Db, actor: Actor, row: EmojiRow) {
  // Before the revision of emoji: the right must last until the end.
  checkRole(stores, await lockRole(tx, actor.actor))
  await lockEmoji(tx)
  if (await findEmoji(tx, row.name)) throw nameTaken(row.name)
  if ((await countEmoji(tx)) >= MOST_EMOJI)
    throw conflict(`There are ${MOST_EMOJI} emoji. Remove one of them first.`)
  await insertEmoji(tx, row, stores.clock.now())
  await insertAuditEntry(tx, { ...actor, action: 'emoji.added', target: row.name })
}

/** Throws unless the setting `who_adds_emoji` includes the person. */
export async function checkMayAdd(stores: Stores, db: Db, username: Username): Promise<void> {
  checkRole(stores, (await personOf(db, username))?.role)
}

function checkRole(stores: Stores, role: Role | undefined) {
  if (!role) throw errors.signedOut()
  if (!hasRight(role, 'add_emoji', stores.settings.current))
    throw errors.coded(403, 'forbidden', 'You may not add emoji here.')
}

/** After the row. A row without its files would be a broken picture; files without a row are swept later. */
async function removeFiles({ files }: Stores, { source, picture, still }: EmojiFiles, isKept: boolean) {
  for (const name of isKept ? [source] : [source, picture, still]) await files.remove(name)
}

const conflict = (sentence: string) => errors.coded(409, 'conflict', sentence)
const nameTaken = (name: string) => conflict(`There is an emoji named ${name} already.`)
const notAnImage = () => errors.invalid('image must be a PNG, GIF, WebP or JPEG image')
