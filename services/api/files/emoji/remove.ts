import { lockRole } from '#shared/access/account-locks.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { emojiFilesWith } from '#shared/domain/custom-emoji.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { deleteEmoji, findEmoji, lockEmoji } from './queries.ts'

/** By the maker, admins and owners. Reactions with the name stay. */
export async function removeEmoji(stores: Stores, actor: Actor, name: string): Promise<void> {
  const file = await runTransaction(stores, 'changeEmoji', {}, async tx => {
    const role = await lockRole(tx, actor.actor)
    if (role === undefined) throw errors.signedOut()
    await lockEmoji(tx)
    const emoji = await findEmoji(tx, name)
    if (!emoji) throw errors.notFound()
    if (emoji.created_by !== actor.actor && !isAdmin(role))
      throw errors.coded(403, 'forbidden', 'Only who added an emoji and administrators may remove it.')
    await deleteEmoji(tx, name)
    await insertAuditEntry(tx, { ...actor, action: 'emoji.removed', target: name })
    return emoji.file
  })
  // After the row: an orphaned file is swept later, a row without its file would be a broken picture.
  await stores.files.remove(file)
  const still = emojiFilesWith(file)?.still
  if (still !== undefined) await stores.files.remove(still)
}
