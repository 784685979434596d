import { readersOf } from '#shared/access/readers.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { OutgoingEvent } from '#shared/jobs/webhook-request.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type EventRow, type ReadEvent, readEvents } from './event-data.ts'
import { type ListeningHook, listeningHooks } from './hooks.ts'

const MOST_EVENTS = 100
/** Each may have the longest message. */
const MOST_DELIVERIES = 2_000

/**
 * Turns events into deliveries, in one transaction that also deletes them. Several janitors take different rows. Returns
 * the number of events.
 */
export function expandEvents(stores: Stores): Promise<number> {
  return inTransaction(stores.pool, async tx => {
    const { rows } = await tx.query<EventRow>(
      `delete from outgoing_events
        where id = any(array(
              select id
                from outgoing_events
               order by id
               limit (select greatest(1, least($1::bigint, $2::bigint / greatest(1, count(*)))) from hooks_out where active)
                 for update skip locked))
       returning id, kind, ref, ts`,
      [MOST_EVENTS, MOST_DELIVERIES],
    )
    if (rows.length === 0) return 0
    const hooks = await listeningHooks(tx)
    const wanted = rows.filter(({ kind }) => hooks.some(({ events }) => events.includes(kind)))
    const events = await readEvents(
      tx,
      wanted.sort((a, b) => a.id - b.id),
    )
    await insertDeliveries(tx, await deliveriesOf({ ...stores, db: tx }, hooks, events), stores.clock.now())
    return rows.length
  })
}

/** Each text is sent to the database once, for all its hooks. */
async function insertDeliveries(tx: Db, deliveries: readonly NewDelivery[], now: Seconds) {
  const texts = deliveries.map(({ event }) => JSON.stringify(event))
  const places = new Map([...new Set(texts)].map((text, at) => [text, at + 1]))
  await tx.query(
    `with texts as materialized (
       select event, place from unnest($3::jsonb[]) with ordinality as given (event, place)
     )
     insert into deliveries (kind, target_id, event, next_try_ts, created_ts)
     select 'hook', target_id, event, $4, $4
       from unnest($1::bigint[], $2::bigint[]) as made (target_id, place)
       join texts using (place)`,
    [deliveries.map(({ hook }) => hook), texts.map(text => places.get(text)), [...places.keys()], now],
  )
}

interface NewDelivery {
  hook: number
  event: OutgoingEvent
}

async function deliveriesOf(stores: Stores, hooks: readonly ListeningHook[], events: readonly ReadEvent[]) {
  const readers = new Map<ChannelId, Map<Username, Seconds>>()
  const bots = [...new Set(hooks.map(({ bot }) => bot))]
  for (const channel of new Set(events.flatMap(({ channel }) => channel ?? [])))
    readers.set(channel, await readersOf(stores, bots, channel))
  const deliveries: NewDelivery[] = []
  for (const event of events)
    for (const hook of hooks)
      if (
        isFor(
          hook,
          event,
          event.channel === undefined ? undefined : readers.get(event.channel)?.get(hook.bot),
        )
      )
        deliveries.push({ hook: hook.id, event: outgoing(event, hook) })
  return deliveries
}

/** `from`: since when the bot reads the channel; undefined where it does not. */
export function isFor(hook: ListeningHook, event: ReadEvent, from: Seconds | undefined): boolean {
  const { kind, ref, ts } = event.row
  if (!hook.events.includes(kind)) return false
  // Events wait to be expanded, for long while no janitor runs.
  if (ts < hook.created_ts) return false
  if (event.channel === undefined) return hook.is_of_admin
  if (from === undefined || (event.since !== undefined && event.since < from)) return false
  if (hook.channels !== null && !hook.channels.includes(event.channel)) return false
  // Never its own bot: a hook whose answer is posted would call itself.
  if (event.isByBot && (!hook.include_bots || event.actor === hook.bot)) return false
  if (kind === 'message.created' && hook.triggers !== null) return hook.triggers.includes(ref.word ?? '')
  return true
}

function outgoing({ row, data, channel, channelName }: ReadEvent, hook: ListeningHook): OutgoingEvent {
  const event = { type: row.kind, timestamp: new Date(row.ts * 1_000).toISOString(), data }
  if (hook.format === 'standard') return event
  const name = channel?.startsWith('dm:') ? channel : channelName
  return {
    ...event,
    slack: { channel_name: name ?? '', trigger_word: hook.triggers ? (row.ref.word ?? '') : '' },
  }
}
