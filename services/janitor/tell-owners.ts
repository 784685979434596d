import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runTransaction } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Writes a line into the conversation of each owner with the system. */
export async function tellOwners(stores: Stores, text: string): Promise<void> {
  const { rows } = await stores.db.query<{ username: Username }>(
    `select username from users where role = 'owner' and state = 'active' order by username`,
  )
  for (const { username } of rows) {
    const channel = dmId([username, SYSTEM_SENDER])
    const scope = { channel, users: [username], mentioned: [], sidebarOf: [username] }
    await runTransaction(stores, 'sendDm', scope, tx =>
      insertSystemMessage(tx, channel, text, { opensFor: [username] }),
    )
  }
}
