import { lockName } from '#shared/access/account-locks.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Writes a line into the conversation of each owner with the system. */
export async function tellOwners(stores: Stores, text: string): Promise<void> {
  const { rows } = await stores.db.query<{ username: Username }>(
    `select username from users where role = 'owner' and state = 'active' order by username`,
  )
  for (const { username } of rows) await tell(stores, username, text)
}

/** The name may be a former one by now. */
async function tell(stores: Stores, name: Username, text: string) {
  const scope = ({ username, channel }: { username: Username; channel: ChannelId }) => ({
    channel,
    users: [username],
    besides: [{ collections: ['sidebar'] as const, users: [username] }],
  })
  await runTransaction(stores, 'send', scope, async tx => {
    const username = await lockName(tx, name)
    if (username === undefined) return unchanged
    const channel = dmId([username, SYSTEM_SENDER])
    await insertSystemMessage(tx, channel, text, { opensFor: [username] })
    return { username, channel }
  })
}
