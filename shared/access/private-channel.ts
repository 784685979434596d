import type { Role } from '#shared/domain/roles.ts'
import { type ChannelId, idFrom, type Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkNotArchived } from './readable-channel.ts'

/** A private channel as its members see it. */
export interface PrivateChannel {
  id: ChannelId
  privateId: number
  name: string
  /** The viewer's. */
  role: Role
  isArchived: boolean
}

/**
 * Throws 404 for an unknown channel and 403 for a non-member, as the interface requires for 4.7 (7). `toStrangers`:
 * the error for non-members of newer endpoints, which do not tell that the channel exists.
 */
export async function privateChannelOf(
  stores: Stores,
  viewer: Username,
  idText: unknown,
  toStrangers: () => Error = errors.forbidden,
): Promise<PrivateChannel> {
  const privateId = idFrom(idText)
  if (privateId === undefined) throw errors.notFound()
  const { rows } = await stores.db.query<{ name: string; role: Role | null; isArchived: boolean }>(
    `select private.name, account.role, properties.archived_ts is not null as "isArchived"
       from private_channels private
       left join private_channel_members member on member.channel_id = private.id and member.username = $2
       left join users account on account.username = member.username
       left join channel_properties properties on properties.channel = 'private:' || private.id
      where private.id = $1`,
    [privateId, viewer],
  )
  const channel = rows[0]
  if (!channel) throw errors.notFound()
  const { name, role, isArchived } = channel
  if (role === null) throw toStrangers()
  return { id: `private:${privateId}`, privateId, name, role, isArchived }
}

/** Guests are in private channels, but decide nothing about them. `role`: undefined for an account that is not active. */
export function checkDecides(role: Role | undefined): void {
  if (role === undefined) throw errors.signedOut()
  if (role === 'guest') throw errors.forbidden()
}

/** An archived channel is not changed. */
export function checkMayChange({ role, isArchived }: PrivateChannel): void {
  checkDecides(role)
  checkNotArchived({ isArchived })
}

/** Reports membership and locks it until the transaction ends. Always taken before the channel's clock. */
export async function lockMembership(tx: Db, privateId: number, member: Username): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from private_channel_members where channel_id = $1 and username = $2 for key share',
    [privateId, member],
  )
  return rowCount === 1
}
