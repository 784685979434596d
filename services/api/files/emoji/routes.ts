import * as v from 'valibot'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { emojiFilesWith, isEmojiName } from '#shared/domain/custom-emoji.ts'
import { CustomEmojiPayload } from '#shared/domain/payloads/messages.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf } from '../../middleware/administration.ts'
import { atOnce } from '../../middleware/at-once.ts'
import { emojiUpload, uploadsOf } from '../../middleware/bodies.ts'
import { filesBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { perStores } from '../../middleware/per-stores.ts'
import { sendValidated } from '../../middleware/validated.ts'
import { FILE_ANSWERS, serveFile } from '../serve-file.ts'
import { addEmoji, checkMayAdd } from './add.ts'
import { payloadOf, revisionOf } from './payload.ts'
import { allEmoji, findEmoji } from './queries.ts'
import { removeEmoji } from './remove.ts'

// Each keeps a core busy with its conversion.
const onesAtOnce = perStores(stores => atOnce(stores, 1))

/** Interface 13.2. */
export const emojiEndpoints = [
  endpoint(
    'GET /emoji',
    {
      summary: 'Lists the custom emoji of the workspace.',
      who: 'signed in',
      within: 'anywhere',
      answers: { 200: payload(v.array(CustomEmojiPayload)), 304: nothing },
    },
    async ({ stores, req, res, viewer }) => {
      sendValidated(req, res, await listFor(stores, viewer))
    },
  ),

  endpoint(
    'GET /emoji/:name',
    {
      summary: 'Gives the image of a custom emoji.',
      who: 'signed in',
      within: 'anywhere',
      query: f.fields({ still: f.isOne, v: f.anything }),
      answers: FILE_ANSWERS,
      fails: [400, 404],
    },
    async ({ stores, req, res, params, query }) => {
      const emoji = await findEmoji(stores.db, nameOf(params))
      if (!emoji) throw errors.notFound()
      const isStill = query.still && emoji.animated
      const file = isStill ? emojiFilesWith(emoji.file)!.still : emoji.file
      await serveFile(req, res, stores.files, file, {
        'Content-Type': 'image/webp',
        'Cache-Control':
          query.v === revisionOf(emoji.file) ? 'private, max-age=31536000, immutable' : 'no-cache',
      })
    },
  ),

  endpoint(
    'POST /emoji',
    {
      summary: 'Adds a custom emoji.',
      who: 'signed in',
      scope: 'channels',
      limit: [['manage', 60], 'files'],
      // The transaction checks again.
      prepare: ({ stores, viewer }) => checkMayAdd(stores, stores.db, viewer),
      body: filesBody(emojiUpload, 'image', f.fields({ name: f.text(), client_id: f.clientId })),
      answers: { 201: payload(CustomEmojiPayload) },
      fails: [400, 403, 409, 413, 503],
    },
    async ({ stores, req, res, viewer, body: { name, client_id: clientId } }) => {
      const draft = { name: name ?? undefined, upload: uploadsOf(req)[0], clientId }
      const { status, body: made } = await onesAtOnce(stores)(viewer, () =>
        addEmoji(stores, actorOf(req), draft),
      )
      res.status(status).json(made)
    },
  ),

  endpoint(
    'DELETE /emoji/:name',
    {
      summary: 'Deletes a custom emoji.',
      who: 'signed in',
      scope: 'channels',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, req, params }) => {
      await removeEmoji(stores, actorOf(req), nameOf(params))
    },
  ),
]

/** Text that is no name may be text that PostgreSQL does not take. */
function nameOf({ name }: { name: string }): string {
  if (!isEmojiName(name)) throw errors.notFound()
  return name
}

/** Names of people whom a guest does not see are left out. */
async function listFor(stores: Stores, viewer: Username): Promise<CustomEmojiPayload[]> {
  const rows = await allEmoji(stores.db)
  const makers = [...new Set(rows.flatMap(row => row.created_by ?? []))]
  const visible = new Set(await visibleAmong(stores, viewer, makers))
  return rows.map(row =>
    payloadOf({
      ...row,
      created_by: row.created_by !== null && visible.has(row.created_by) ? row.created_by : null,
    }),
  )
}
