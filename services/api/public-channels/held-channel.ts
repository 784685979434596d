import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { holdActor } from './hold-people.ts'

export interface HeldChannel extends ReadableChannel {
  role: Role
  isConfigured: boolean
}

/** Locks the account of the viewer, then finds the public channel; 404 if it is unknown or not readable. */
export async function heldPublicChannel(
  stores: Stores,
  tx: Db,
  viewer: Username,
  text: unknown,
  withManaging = false,
): Promise<HeldChannel> {
  const role = await holdActor(tx, viewer)
  if (role === undefined) throw errors.signedOut()
  const channel = await findReadableChannel({ ...stores, db: tx }, viewer, text, { withManaging })
  if (channel?.kind !== 'public') throw errors.notFound()
  return { ...channel, role, isConfigured: stores.settings.current.channels.includes(channel.id) }
}

/** The error of extensions for an archived channel. */
export const archivedError = () => errors.coded(403, 'archived', 'archived channel')
