import { lockRole } from '#shared/access/account-locks.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

export interface LockedChannel extends ReadableChannel {
  role: Role
  isConfigured: boolean
}

/**
 * Locks the account of the viewer, and the channel against deletion, then finds it; 404 if it is unknown or not readable,
 * or not public.
 */
export async function lockedPublicChannel(
  stores: Stores,
  tx: Db,
  viewer: Username,
  text: unknown,
  withManaging = false,
): Promise<LockedChannel> {
  const role = await lockRole(tx, viewer)
  if (role === undefined) throw errors.signedOut()
  if (typeof text === 'string' && !text.includes('\0'))
    await tx.query('select from channels where id = $1 for key share', [text])
  const channel = await findReadableChannel({ ...stores, db: tx }, viewer, text, { withManaging })
  if (channel?.kind !== 'public') throw errors.notFound()
  return { ...channel, role, isConfigured: stores.settings.current.channels.includes(channel.id) }
}

/**
 * The same with the lock of the clock, under which the channel is neither archived nor deleted. `before`: takes the locks
 * of memberships.
 */
export async function lockedOpenChannel(
  stores: Stores,
  tx: Db,
  viewer: Username,
  text: unknown,
  before: (channel: ChannelId) => Promise<void> = async () => undefined,
): Promise<LockedChannel> {
  const { id } = await lockedPublicChannel(stores, tx, viewer, text)
  await before(id)
  await lockChannel(tx, id)
  const channel = await lockedPublicChannel(stores, tx, viewer, id, true)
  if (channel.isArchived) throw archivedError()
  return channel
}

/** The error of extensions for an archived channel. */
export const archivedError = () => errors.coded(403, 'archived', 'archived channel')
