import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { findReadableMessage } from '#shared/access/readable-message.ts'
import { EVENTS_FOR_ADMINS } from '#shared/domain/outgoing-hooks.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import type { OutgoingEvent } from '#shared/jobs/webhook-request.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { SendingHook } from './hooks.ts'

interface Subject {
  /** An event of a channel itself has its `id` instead. */
  channel?: ChannelId
  id?: unknown
  ts?: Seconds
}

/** Events with the text of a message, which may be deleted meanwhile. */
const HAVE_TEXT = new Set(['message.created', 'message.edited'])

/** Whether the bot, and for events of administration the maker, may know of an event now: it may have waited for a day. */
export async function mayTell(
  stores: Stores,
  { bot, is_bot_active, is_of_admin }: SendingHook,
  { type, data }: OutgoingEvent,
): Promise<boolean> {
  if (!is_bot_active) return false
  if (EVENTS_FOR_ADMINS.includes(type)) return is_of_admin
  const { channel: place, id, ts } = data as Subject
  if (HAVE_TEXT.has(type)) return (await findReadableMessage(stores, bot, String(id)))?.deleted === 0
  const channel = await findReadableChannel(stores, bot, place ?? id)
  return channel !== undefined && (ts === undefined || ts >= channel.historyStart)
}
