import type { ChannelId } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/*
 * The channel clock (architecture 2.2): `channels.clock_us` is the greatest time given to a change of the channel, in
 * microseconds. A statement that changes messages first takes its times here. That locks the channel's row, so that
 * commits follow the order of their times, and a reader with a cursor misses nothing.
 *
 * It comes after accounts, memberships and calls in the order of locks (architecture 4.1): the holder of the clock sees every
 * earlier join and departure.
 */

const NOW_US = '(extract(epoch from clock_timestamp()) * 1000000)::bigint'

/** SQL: a value of the clock as a time in seconds. */
export const seconds = (microseconds: string) => `(${microseconds}) / 1000000::double precision`

/**
 * SQL: an assignment for `update channels channel` that takes the next `count` times. Afterwards the statement owns the
 * times from `clock_us - count + 1` to `clock_us`. The first is now, or a microsecond after the last one given if the
 * system clock stood still or went back.
 */
export const takeTimes = (count = '1') =>
  `clock_us = greatest(${NOW_US} + ${count} - 1, channel.clock_us + ${count})`

/**
 * SQL: takes the next `count` times and ordinals for new messages, and creates the row of a channel that has none. Does
 * nothing if the relation `allowed` is empty, or the row of the channel, once locked, does not meet `condition`. Returns
 * the last time and ordinal: `clock_us`, `message_count`.
 */
export const takeMessageTimes = (channel: string, count: string, allowed = '', condition = '') =>
  `insert into channels as channel (id, clock_us, newest_ts, message_count)
   select ${channel}, first_us + ${count} - 1, ${seconds(`first_us + ${count} - 1`)}, ${count}
     from (select ${NOW_US} as first_us ${allowed && `from ${allowed}`}) now
   on conflict (id) do update
      set clock_us = greatest(excluded.clock_us, channel.clock_us + ${count}),
          newest_ts = ${seconds(`greatest(excluded.clock_us, channel.clock_us + ${count})`)},
          message_count = channel.message_count + ${count}
    ${condition && `where ${condition}`}
   returning clock_us, message_count`

/** SQL: the same for a channel that has its row; does nothing without it. */
export const takeTimesOfMessages = (channel: string, count: string, allowed: string, condition: string) =>
  `update channels channel
      set clock_us = greatest(now.first_us + ${count} - 1, channel.clock_us + ${count}),
          newest_ts = ${seconds(`greatest(now.first_us + ${count} - 1, channel.clock_us + ${count})`)},
          message_count = channel.message_count + ${count}
     from (select ${NOW_US} as first_us from ${allowed}) now
    where channel.id = ${channel} and (${condition})
   returning channel.clock_us, channel.message_count`

/** SQL: starts the clock of a new channel at a time in seconds. */
export const startClock = (channel: string, ts: string, from: string) =>
  `insert into channels (id, clock_us)
   select ${channel}, (${ts} * 1000000)::bigint from ${from}`

/**
 * Blocks other changes of the channel's messages and members until the transaction ends. Returns false for an
 * archived channel.
 */
export async function lockChannel(tx: Db, channel: ChannelId): Promise<boolean> {
  const { rows } = await tx.query<{ posting: string }>(
    'select posting from channels where id = $1 for no key update',
    [channel],
  )
  return rows[0]?.posting !== 'nobody'
}
