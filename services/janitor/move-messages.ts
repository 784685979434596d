import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { Pace } from './pace.ts'

/** A part of a renaming, which a later run resumes. */
export interface Move {
  from: Username
  to: Username
  /** Messages written from this time on have been moved. */
  before: Seconds
  /** Number of rows that this run has moved. */
  moved: number
}

/**
 * Gives the messages, mentions, forwarded messages and inbox of a person another name in short transactions, so that no reaction or send waits for
 * all of them. Rows locked by others are left to the transaction that ends the renaming. Returns false if `until` came
 * first.
 */
export async function moveMessages(db: Db, move: Move, until: Milliseconds): Promise<boolean> {
  // Inbox rows come with reactions to messages that still have the old name: messages first.
  for (const step of [moveWritten, moveMentions, moveForwards, moveActivity]) {
    if (!(await step(db, move, until))) return false
  }
  return true
}

/** Newest first, since newer messages get more reactions. */
async function moveWritten(db: Db, move: Move, until: Milliseconds): Promise<boolean> {
  const pace = new Pace()
  while (move.before > Number.NEGATIVE_INFINITY) {
    if (performance.now() >= until) return false
    const { rows } = await pace.keep(() =>
      // With a second condition on the sender PostgreSQL would expect few rows and read all of them.
      db.query<{ moved: number; before: Seconds }>(
        `with batch as materialized (
           select id, ts
             from messages
            where lower(sender) = lower($1) and deleted = 0 and ts < $3
            order by ts desc
            fetch first $4 rows with ties
         ), held as materialized (
           select id
             from messages
            where id in (select id from batch) and sender = $1
              for no key update skip locked
         ), moved as (
           update messages set sender = $2 from held where messages.id = held.id returning 1
         )
         select (select count(*) from moved) as moved, coalesce(min(ts), '-infinity') as before from batch`,
        [move.from, move.to, move.before, pace.size],
      ),
    )
    move.moved += rows[0]!.moved
    move.before = rows[0]!.before
  }
  return true
}

/** A trigger moves the rows of `message_mentions`. */
async function moveMentions(db: Db, move: Move, until: Milliseconds): Promise<boolean> {
  const pace = new Pace()
  for (let last = 1; last > 0; move.moved += last) {
    if (performance.now() >= until) return false
    const { rowCount } = await pace.keep(() =>
      // Names contain no characters that JSON escapes.
      db.query(
        `with named as materialized (
           select message_id from message_mentions where username = $1 limit $3
         ), batch as materialized (
           select id from messages where id in (select message_id from named) for no key update skip locked
         )
         update messages
            set mentions = replace(mentions, '"' || $1 || '"', '"' || $2 || '"')
           from batch
          where messages.id = batch.id and strpos(mentions, '"' || $1 || '"') > 0`,
        [move.from, move.to, pace.size],
      ),
    )
    last = rowCount ?? 0
  }
  return true
}

/** Messages that were forwarded name their first sender. */
async function moveForwards(db: Db, move: Move, until: Milliseconds): Promise<boolean> {
  const pace = new Pace()
  for (let last = 1; last > 0; move.moved += last) {
    if (performance.now() >= until) return false
    const { rowCount } = await pace.keep(() =>
      db.query(
        `with batch as materialized (
           select id
             from messages
            where extra ? 'forward' and extra -> 'forward' ->> 'sender' = $1
            limit $3
              for no key update skip locked
         )
         update messages
            set extra = jsonb_set(extra, '{forward,sender}', to_jsonb($2::text))
           from batch
          where messages.id = batch.id`,
        [move.from, move.to, pace.size],
      ),
    )
    last = rowCount ?? 0
  }
  return true
}

/** A reaction to a message that was moved may have made a second row. */
async function moveActivity(db: Db, move: Move, until: Milliseconds): Promise<boolean> {
  const pace = new Pace()
  for (let last = 1; last > 0; move.moved += last) {
    if (performance.now() >= until) return false
    const { rows } = await pace.keep(() =>
      db.query<{ count: number }>(
        `with batch as materialized (
           select id, message_id, kind from activity where username = $1 limit $3 for update skip locked
         ), doubled as (
           delete from activity
            using batch
            where activity.id = batch.id
              and exists (select from activity newer
                           where newer.message_id = batch.message_id
                             and newer.kind = batch.kind
                             and newer.username = $2)
           returning activity.id
         ), moved as (
           update activity set username = $2 from batch
            where activity.id = batch.id and batch.id not in (select id from doubled)
           returning 1
         )
         select (select count(*) from doubled) + (select count(*) from moved) as count`,
        [move.from, move.to, pace.size],
      ),
    )
    last = rows[0]!.count
  }
  return true
}
