import { personOf } from '#shared/access/person.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { findReadableMessage, type ReadableMessage } from '#shared/access/readable-message.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { privateChannels } from '#shared/collections/private-channels.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { argument, type SlackCall } from './method.ts'
import { messagesNear } from './queries.ts'

/**
 * The channel that `text`, by default the argument `channel`, names: an id, `#name`, or a person for the DM with them.
 * `channel_not_found` for what the caller does not see.
 */
export async function channelOf(
  call: SlackCall,
  text: string | undefined = argument(call.args, 'channel'),
): Promise<ReadableChannel> {
  if (text === undefined) throw new SlackError('channel_not_found')
  const channel = await findChannel(call, text.trim())
  if (!channel || !call.mayReach(channel.id)) throw new SlackError('channel_not_found')
  return channel
}

/** The same for any program of the viewer; undefined for what they do not see. */
export async function findChannel(
  { stores, viewer }: Pick<SlackCall, 'stores' | 'viewer'>,
  text: string,
): Promise<ReadableChannel | undefined> {
  const name = text.replace(/^#/, '')
  const channel = await findReadableChannel(stores, viewer, name)
  if (channel) return channel
  if (text.startsWith('#')) {
    const all = await payloadFor(privateChannels, stores, viewer)
    const named = all.filter(one => one.name.toLowerCase() === name.toLowerCase())
    return named.length === 1 ? findReadableChannel(stores, viewer, named[0]!.channel) : undefined
  }
  const person = await personSeen(stores, viewer, text.replace(/^@/, ''))
  if (person === undefined) return undefined
  return findReadableChannel(stores, viewer, dmId([viewer, person]))
}

/** The registered name of an account that the viewer sees. */
export async function personSeen(
  stores: Stores,
  viewer: Username,
  name: string,
): Promise<Username | undefined> {
  const person = isUsername(name) ? await personOf(stores.db, name) : undefined
  if (!person || person.state === 'pending') return undefined
  if (person.username === viewer) return viewer
  return (await visibleAmong(stores, viewer, [person.username]))[0]
}

/** Half of a microsecond, the resolution of a channel's clock, and what a number of this size is inexact by. */
const NEAR: Seconds = 0.000_000_7

export const tsOf = (ts: Seconds): string => ts.toFixed(6)

/** The message of a channel whose time is in this argument; undefined also for a deleted one. */
export async function findMessage(
  call: SlackCall,
  channel: ReadableChannel,
  name: string,
): Promise<ReadableMessage | undefined> {
  const text = argument(call.args, name)
  if (text === undefined || !/^\d{1,12}(\.\d{1,9})?$/.test(text)) return undefined
  const wanted = tsOf(Number(text))
  const near = await messagesNear(call.stores.db, channel.id, Number(text), NEAR)
  const found = near.find(({ ts }) => tsOf(ts) === wanted)
  const message = found && (await findReadableMessage(call.stores, call.viewer, String(found.id)))
  return message?.deleted === 0 ? message : undefined
}

/** The id of the message that `thread_ts` names; undefined without it. */
export async function rootOf(call: SlackCall, channel: ReadableChannel): Promise<number | undefined> {
  if (argument(call.args, 'thread_ts') === undefined) return undefined
  const root = await findMessage(call, channel, 'thread_ts')
  if (!root) throw new SlackError('thread_not_found')
  return root.id
}

export async function messageOf(
  call: SlackCall,
  channel: ReadableChannel,
  name: string,
): Promise<ReadableMessage> {
  const message = await findMessage(call, channel, name)
  if (!message) throw new SlackError('message_not_found')
  return message
}
