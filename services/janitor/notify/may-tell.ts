import { findReadableChannel } from '#shared/access/readable-channel.ts'
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

/** Whether the bot, and for events of administration the maker, may know of an event now: it may have waited for a day. */
export async function mayTell(
  stores: Stores,
  { bot, is_bot_active, is_of_admin }: SendingHook,
  { type, data }: OutgoingEvent,
): Promise<boolean> {
  if (!is_bot_active) return false
  if (EVENTS_FOR_ADMINS.includes(type)) return is_of_admin
  const { channel: place, id, ts } = data as Subject
  const channel = await findReadableChannel(stores, bot, place ?? id)
  return channel !== undefined && (ts === undefined || ts >= channel.historyStart)
}
