import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { EVENTS_FOR_ADMINS } from '#shared/domain/outgoing-hooks.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import type { OutgoingEvent } from '#shared/jobs/webhook-request.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { SendingHook, Untold } from './hooks.ts'

interface Subject {
  /** An event of a channel itself has its `id` instead. */
  channel?: ChannelId
  id?: unknown
  /** That a reaction belongs to. */
  message_id?: number
  ts?: Seconds
}

/** Events that end with their message. */
const OF_MESSAGES: readonly string[] = [
  'message.created',
  'message.edited',
  'reaction.added',
  'reaction.removed',
]

/** Why an event may not be told now, after up to a day of waiting; undefined if it may. */
export async function whyUntold(
  stores: Stores,
  { bot, is_bot_active, is_of_admin }: SendingHook,
  event: OutgoingEvent,
): Promise<Untold | undefined> {
  if (!is_bot_active) return 'no_access'
  if (EVENTS_FOR_ADMINS.includes(event.type)) return is_of_admin ? undefined : 'no_access'
  const place = await placeOf(stores.db, event)
  if (!place) return 'deleted'
  const channel = await findReadableChannel(stores, bot, place.channel)
  return channel && place.ts >= channel.historyStart ? undefined : 'no_access'
}

/** Undefined if the message is deleted, or removed with its channel, its sender or by age. */
async function placeOf(
  db: Db,
  { type, data }: OutgoingEvent,
): Promise<{ channel: unknown; ts: Seconds } | undefined> {
  const { channel, id, message_id: ofReaction, ts } = data as Subject
  if (!OF_MESSAGES.includes(type)) return { channel: channel ?? id, ts: ts ?? Number.POSITIVE_INFINITY }
  const { rows } = await db.query<{ channel: ChannelId; ts: Seconds }>(
    `select message.channel, message.ts
       from messages message
      where message.id = $1 and message.deleted = 0 and ${IS_NOT_REMOVED}`,
    [ofReaction ?? id],
  )
  return rows[0]
}
