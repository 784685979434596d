import { lockRole } from '#shared/access/account-locks.ts'
import { lockMembership } from '#shared/access/private-channel.ts'
import { isPublicChannel } from '#shared/access/public-channels.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { type ParsedChannel, parseChannelId } from '#shared/domain/channel-id.ts'
import { isAdmin, type Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertProperties, isArchived, isPrivateChannel } from './queries.ts'

export interface ManagedChannel extends ReadableChannel {
  kind: 'public' | 'private'
  role: Role
  isAdmin: boolean
  manages: boolean
  isConfigured: boolean
}

/**
 * Locks account, membership and clock, in this order, and makes the row of properties. 404 for a channel that the viewer
 * may not read, 403 for a DM, which has no properties.
 */
export async function lockedChannel(
  stores: Stores,
  tx: Db,
  viewer: Username,
  text: unknown,
): Promise<ManagedChannel> {
  const role = await lockRole(tx, viewer)
  if (role === undefined) throw errors.signedOut()
  const privateId = privateIdOf(text)
  if (privateId !== undefined && !(await lockMembership(tx, privateId, viewer))) throw errors.notFound()
  const readable = await findReadableChannel({ ...stores, db: tx }, viewer, text)
  if (!readable) throw errors.notFound()
  if (readable.kind === 'dm') throw errors.forbidden()
  await lockChannel(tx, readable.id)
  await insertProperties(tx, readable.id, readable.kind)
  // Read under the lock of the clock, which every change of properties takes.
  const channel = await findReadableChannel({ ...stores, db: tx }, viewer, text, { withManaging: true })
  if (!channel) throw errors.notFound()
  return {
    ...channel,
    kind: readable.kind,
    role,
    isAdmin: isAdmin(role),
    manages: channel.manages === true,
    isConfigured: stores.settings.current.channels.includes(channel.id),
  }
}

/** The same for the operator, who manages every channel without reading it. */
export async function lockedByOperator(
  stores: Stores,
  tx: Db,
  text: string,
): Promise<Pick<ManagedChannel, 'id' | 'manages' | 'isArchived'>> {
  const parsed = parseChannelId(text)
  if (parsed?.kind === 'dm') throw errors.forbidden()
  if (!parsed || !(await exists({ ...stores, db: tx }, parsed))) throw errors.notFound()
  await lockChannel(tx, parsed.id)
  await insertProperties(tx, parsed.id, parsed.kind)
  return { id: parsed.id, manages: true, isArchived: await isArchived(tx, parsed.id) }
}

async function exists(stores: Stores, parsed: ParsedChannel): Promise<boolean> {
  if (parsed.kind === 'public') return isPublicChannel(stores, parsed.id)
  return parsed.kind === 'private' && isPrivateChannel(stores.db, parsed.privateId)
}

function privateIdOf(text: unknown): number | undefined {
  const parsed = typeof text === 'string' ? parseChannelId(text) : undefined
  return parsed?.kind === 'private' ? parsed.privateId : undefined
}
