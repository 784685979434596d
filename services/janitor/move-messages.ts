import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { Pace } from './pace.ts'

/**
 * Gives the messages, mentions and inbox of a person another name in short transactions, so that no reaction or send waits for
 * all of them. Rows locked by others are left to a later pass, and finally to the transaction of the renaming. Returns
 * false if `until` came first.
 */
export async function moveMessages(
  db: Db,
  from: Username,
  to: Username,
  until: Milliseconds,
): Promise<boolean> {
  for (let moved = 1; moved > 0; ) {
    moved = 0
    for (const step of [moveWritten, moveMentions, moveActivity]) {
      const found = await step(db, from, to, until)
      if (found === undefined) return false
      moved += found
    }
  }
  return true
}

/** Newest first, since newer messages get more reactions. Undefined if the time is over. */
async function moveWritten(
  db: Db,
  from: Username,
  to: Username,
  until: Milliseconds,
): Promise<number | undefined> {
  const pace = new Pace()
  let moved = 0
  for (let before: Seconds | null = Number.MAX_VALUE; before !== null; ) {
    if (performance.now() >= until) return undefined
    const { rows } = await pace.keep(() =>
      // With a second condition on the sender PostgreSQL would expect few rows and read all of them.
      db.query<{ moved: number; before: Seconds | null }>(
        `with batch as materialized (
           select id, ts
             from messages
            where lower(sender) = lower($1) and deleted = 0 and ts < $3
            order by ts desc
            limit $4
         ), held as materialized (
           select id
             from messages
            where id in (select id from batch) and sender = $1
              for no key update skip locked
         ), moved as (
           update messages set sender = $2 from held where messages.id = held.id returning 1
         )
         select (select count(*) from moved) as moved, min(ts) as before from batch`,
        [from, to, before, pace.size],
      ),
    )
    const batch: { moved: number; before: Seconds | null } = rows[0]!
    moved += batch.moved
    before = batch.before
  }
  return moved
}

/** A trigger moves the rows of `message_mentions`. Undefined if the time is over. */
async function moveMentions(
  db: Db,
  from: Username,
  to: Username,
  until: Milliseconds,
): Promise<number | undefined> {
  const pace = new Pace()
  let moved = 0
  for (let after: number | null = 0; after !== null; ) {
    if (performance.now() >= until) return undefined
    const { rows } = await pace.keep(() =>
      // Names contain no characters that JSON escapes.
      db.query<{ moved: number; after: number | null }>(
        `with named as materialized (
           select message_id from message_mentions where username = $1 and message_id > $3 order by message_id limit $4
         ), batch as materialized (
           select id from messages where id in (select message_id from named) for no key update skip locked
         ), moved as (
           update messages
              set mentions = replace(mentions, '"' || $1 || '"', '"' || $2 || '"')
             from batch
            where messages.id = batch.id
           returning 1
         )
         select (select count(*) from moved) as moved, (select max(message_id) from named) as after`,
        [from, to, after, pace.size],
      ),
    )
    const batch: { moved: number; after: number | null } = rows[0]!
    moved += batch.moved
    after = batch.after
  }
  return moved
}

/** A reaction to a message that was moved may have made a second row. Undefined if the time is over. */
async function moveActivity(
  db: Db,
  from: Username,
  to: Username,
  until: Milliseconds,
): Promise<number | undefined> {
  const pace = new Pace()
  let moved = 0
  for (let last = 1; last > 0; moved += last) {
    if (performance.now() >= until) return undefined
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
        [from, to, pace.size],
      ),
    )
    last = rows[0]!.count
  }
  return moved
}
