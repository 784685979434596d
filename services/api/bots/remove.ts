import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { deleteAccountOf } from '../account/deletion/delete-account.ts'
import { lockBot } from './locked-bot.ts'

/** As the base's soft deletion: its messages stay under another name, and its own name is never given out again. */
export async function removeBot(stores: Stores, actor: Actor, name: Username): Promise<void> {
  await deleteAccountOf(stores, actor, name, 'soft', async tx => {
    await lockBot(tx, actor, name)
    await insertAuditEntry(tx, { ...actor, action: 'bot.deleted', target: name })
  })
}
