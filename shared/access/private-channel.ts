import { type ChannelId, idFrom, type Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A private channel as its members see it. */
export interface PrivateChannel {
  id: ChannelId
  privateId: number
  name: string
}

/** Throws 404 for an unknown channel and 403 for a non-member, as the interface requires for 4.7 (7). */
export async function privateChannelOf(
  stores: Stores,
  viewer: Username,
  idText: unknown,
): Promise<PrivateChannel> {
  const privateId = idFrom(idText)
  if (privateId === undefined) throw errors.notFound()
  const { rows } = await stores.db.query<{ name: string; is_member: boolean }>(
    `select private.name, member.username is not null as is_member
       from private_channels private
       left join private_channel_members member on member.channel_id = private.id and member.username = $2
      where private.id = $1`,
    [privateId, viewer],
  )
  const channel = rows[0]
  if (!channel) throw errors.notFound()
  if (!channel.is_member) throw errors.forbidden()
  return { id: `private:${privateId}`, privateId, name: channel.name }
}

/** Reports membership and locks it until the transaction ends. Always taken before the channel's clock. */
export async function holdMembership(tx: Db, privateId: number, member: Username): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from private_channel_members where channel_id = $1 and username = $2 for key share',
    [privateId, member],
  )
  return rowCount === 1
}
