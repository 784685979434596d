import { randomUUID } from 'node:crypto'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { writeTouching } from '#shared/notices/touched.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { holdMembership, holdSharing, insertShare } from './queries.ts'
import { stopSharesOf } from './stop.ts'

/** Shares a screen in a DM or a private channel; what the person shared there before ends (interface 3.2). */
export async function startShare(stores: Stores, sharer: Username, channelText: string): Promise<string> {
  const channel = await findReadableChannel(stores, sharer, channelText)
  if (!channel || channel.kind === 'public') throw refuse.accessDenied()
  const shareId = randomUUID()
  return writeTouching(stores, async (tx, touched) => {
    // Whoever ends the membership or the account meanwhile waits, finds this share and stops it.
    if (!(await holdMembership(tx, sharer, channel.privateId))) throw refuse.accessDenied()
    await holdSharing(tx, channel.id, sharer)
    await stopSharesOf(stores, tx, touched, sharer, channel.id)
    await insertShare(tx, { share_id: shareId, channel: channel.id, sharer, now: stores.clock.now() })
    touched.push({ name: 'startShare', channel: channel.id, users: [sharer] })
    return shareId
  })
}
