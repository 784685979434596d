import { personOf } from '#shared/access/person.ts'
import { isPublicChannel } from '#shared/access/public-channels.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { dmId, parseChannelId } from '#shared/domain/channel-id.ts'
import { type ChannelId, idFrom, type Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { AddressedHook } from './queries.ts'
import { Refusal } from './refusals.ts'

/**
 * The channel of a post, as the bot of the hook reads it. A channel in the payload needs the right, but for the hook's own; an
 * unknown one is refused in the same way.
 */
export async function targetChannel(
  stores: Stores,
  hook: AddressedHook,
  wish: string | undefined,
): Promise<ReadableChannel> {
  if (!hook.isBotActive) throw new Refusal('action_prohibited')
  const isOwn = wish === undefined || (await isOwnChannel(stores, hook, wish))
  if (!isOwn && !hook.may_choose_channel) throw new Refusal('action_prohibited')
  const channel = isOwn
    ? await findReadableChannel(stores, hook.bot, hook.channel)
    : await chosenChannel(stores, hook.bot, wish)
  if (!channel) throw new Refusal(isOwn ? await whyUnreadable(stores, hook.channel) : 'action_prohibited')
  if (channel.isArchived) throw new Refusal('channel_is_archived')
  return channel
}

/** A channel of the settings file may be gone; others are deleted with their hooks. */
async function whyUnreadable(stores: Stores, channel: ChannelId) {
  const isGone = parseChannelId(channel)?.kind === 'public' && !(await isPublicChannel(stores, channel))
  return isGone ? 'channel_not_found' : 'action_prohibited'
}

async function isOwnChannel({ db }: Stores, { channel }: AddressedHook, wish: string): Promise<boolean> {
  const name = wish.replace(/^#/, '')
  if (name === channel) return true
  const { rows } = await db.query<{ name: string }>(
    `select name from channel_properties where channel = $1 and name is not null
     union all
     select name from private_channels where 'private:' || id = $1`,
    [channel],
  )
  return rows.some(row => row.name.toLowerCase() === name.toLowerCase())
}

/** `#id`, `#name`, an id, or `@user` for the DM with the bot. */
async function chosenChannel(
  stores: Stores,
  bot: Username,
  wish: string,
): Promise<ReadableChannel | undefined> {
  if (wish.startsWith('@')) {
    const name = wish.slice(1)
    const person = isUsername(name) ? await personOf(stores.db, name) : undefined
    if (person?.state !== 'active') return undefined
    return findReadableChannel(stores, bot, dmId([bot, person.username]))
  }
  const name = wish.replace(/^#/, '')
  if (name.startsWith('dm:')) return undefined
  const known = await findReadableChannel(stores, bot, name)
  if (known) return known
  const { rows } = await stores.db.query<{ id: ChannelId }>(
    `select channel as id from channel_properties where kind = 'public' and lower(name) = lower($1)
     union all
     select 'private:' || private.id
       from private_channels private
       join private_channel_members member on member.channel_id = private.id and member.username = $2
      where lower(private.name) = lower($1)
      limit 20`,
    [name, bot],
  )
  for (const { id } of rows) {
    const channel = await findReadableChannel(stores, bot, id)
    if (channel) return channel
  }
  return undefined
}

/** The message of the channel with this id, or with this time in six decimals; undefined for none that the bot reads. */
export async function repliedTo(
  { db }: Stores,
  { id: channel, historyStart }: ReadableChannel,
  thread: string | undefined,
): Promise<number | undefined> {
  if (thread === undefined) return undefined
  const byTime = /^\d{1,12}\.\d{1,6}$/.test(thread)
  const id = idFrom(thread)
  if (!byTime && id === undefined) return undefined
  const { rows } = await db.query<{ id: number }>(
    `select id from messages where channel = $1 and ts >= $3 and ${byTime ? 'ts = $2::double precision' : 'id = $2::bigint'}`,
    [channel, thread, historyStart],
  )
  return rows[0]?.id
}
