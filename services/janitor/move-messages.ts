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
 * Gives everything that a person may have thousands of another name in short transactions, so that no reaction or send
 * waits for all of it: messages, mentions, reactions, pins, files, invited people, threads, inbox, read marks and closed DMs. Rows locked by others are left to
 * the transaction that ends the renaming. Returns false if `until` came first.
 */
export async function moveMessages(db: Db, move: Move, until: Milliseconds): Promise<boolean> {
  // Inbox rows come with reactions to messages that still have the old name: messages first.
  for (const step of [moveWritten, ...IN_BATCHES.map(inBatches), moveActivity]) {
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
         ), locked as materialized (
           select id
             from messages
            where id in (select id from batch) and sender = $1
              for no key update skip locked
         ), moved as (
           update messages set sender = $2 from locked where messages.id = locked.id returning 1
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

/** `statement`: from $1 to $2, $3 rows at most, as its number of rows tells. */
const inBatches =
  (statement: string) =>
  async (db: Db, move: Move, until: Milliseconds): Promise<boolean> => {
    const pace = new Pace()
    for (let last = 1; last > 0; move.moved += last) {
      if (performance.now() >= until) return false
      const { rowCount } = await pace.keep(() => db.query(statement, [move.from, move.to, pace.size]))
      last = rowCount ?? 0
    }
    return true
  }

/** A trigger moves the rows of `message_mentions`. Names contain no characters that JSON escapes. */
const MENTIONS = `
  with named as materialized (
    select message_id from message_mentions where username = $1 limit $3
  ), batch as materialized (
    select id from messages where id in (select message_id from named) for no key update skip locked
  )
  update messages
     set mentions = replace(mentions, '"' || $1 || '"', '"' || $2 || '"')
    from batch
   where messages.id = batch.id and strpos(mentions, '"' || $1 || '"') > 0`

/** Messages that were forwarded name their first sender. */
const FORWARDS = `
  with batch as materialized (
    select id
      from messages
     where extra ? 'forward' and extra -> 'forward' ->> 'sender' = $1
     limit $3
       for no key update skip locked
  )
  update messages
     set extra = jsonb_set(extra, '{forward,sender}', to_jsonb($2::text))
    from batch
   where messages.id = batch.id`

/** Messages that the person removed as a moderator. */
const REMOVED = `
  with batch as materialized (
    select id
      from messages
     where extra ? 'removed_by' and extra ->> 'removed_by' = $1
     limit $3
       for no key update skip locked
  )
  update messages
     set extra = jsonb_set(extra, '{removed_by}', to_jsonb($2::text))
    from batch
   where messages.id = batch.id`

const PINS = `
  with batch as materialized (
    select message_id from pins where pinned_by = $1 limit $3
  ), locked as materialized (
    select id from messages where id in (select message_id from batch) for no key update skip locked
  ), shown as (
    update messages
       set extra = jsonb_set(extra, '{pinned,by}', to_jsonb($2::text))
      from locked
     where messages.id = locked.id and extra -> 'pinned' ->> 'by' = $1
  )
  update pins set pinned_by = $2 where pinned_by = $1 and message_id in (select id from locked)`

const FILES = `
  with batch as materialized (
    select name from files where uploader = $1 limit $3 for update skip locked
  )
  update files set uploader = $2 from batch where files.name = batch.name`

/** Early, so that the transaction that ends the renaming locks no account of others. */
const INVITED = `
  with batch as materialized (
    select username from users where invited_by = $1 limit $3 for no key update skip locked
  )
  update users set invited_by = $2 from batch where users.username = batch.username`

const SPENT_UPLOADS = `
  with batch as materialized (
    select ctid from spent_uploads where username = $1 limit $3 for update skip locked
  )
  update spent_uploads set username = $2 from batch where spent_uploads.ctid = batch.ctid`

/** A person who reacts meanwhile, to a message that was moved, would have two of the same. `rest`: the end of the choice. */
const reactions = (rest: string) => `
  with batch as materialized (
    select message_id, emoji from reactions where username = $1 ${rest}
  ), doubled as (
    delete from reactions
     using batch
     where reactions.username = $1
       and reactions.message_id = batch.message_id
       and reactions.emoji = batch.emoji
       and exists (select from reactions newer
                    where newer.message_id = batch.message_id
                      and newer.emoji = batch.emoji
                      and newer.username = $2)
    returning reactions.message_id, reactions.emoji
  ), moved as (
    update reactions
       set username = $2
      from batch
     where reactions.username = $1
       and reactions.message_id = batch.message_id
       and reactions.emoji = batch.emoji
       and (batch.message_id, batch.emoji) not in (select message_id, emoji from doubled)
  )
  select from batch`

/** A reply to a message that was moved may have made a second row: the decision of the person stays. */
const follows = (rest: string) => `
  with batch as materialized (
    select root_id from thread_follows where username = $1 ${rest}
  ), doubled as (
    delete from thread_follows
     using batch
     where thread_follows.username = $1
       and thread_follows.root_id = batch.root_id
       and exists (select from thread_follows newer
                    where newer.username = $2 and newer.root_id = batch.root_id)
    returning thread_follows.root_id, following, last_read_id
  ), merged as (
    update thread_follows kept
       set following = coalesce(doubled.following, kept.following),
           last_read_id = greatest(doubled.last_read_id, kept.last_read_id)
      from doubled
     where kept.username = $2 and kept.root_id = doubled.root_id
  ), moved as (
    update thread_follows
       set username = $2
      from batch
     where thread_follows.username = $1
       and thread_follows.root_id = batch.root_id
       and batch.root_id not in (select root_id from doubled)
  )
  select from batch`

/** Somebody who adds the person to a channel meanwhile makes a second row: the one that has read more stays. */
const watermarks = (rest: string) => `
  with batch as materialized (
    select channel, last_read_ts, last_read_ord, unread_from_ts, unread_from_ord, joined_ts
      from read_watermarks where username = $1 ${rest}
  ), further as (
    update read_watermarks kept
       set last_read_ts = batch.last_read_ts,
           last_read_ord = batch.last_read_ord,
           unread_from_ts = batch.unread_from_ts,
           unread_from_ord = batch.unread_from_ord,
           joined_ts = batch.joined_ts
      from batch
     where kept.username = $2 and kept.channel = batch.channel and kept.last_read_ord < batch.last_read_ord
  ), doubled as (
    delete from read_watermarks older
     using batch
     where older.username = $1
       and older.channel = batch.channel
       and exists (select from read_watermarks newer where newer.username = $2 and newer.channel = batch.channel)
    returning older.channel
  ), moved as (
    update read_watermarks
       set username = $2
      from batch
     where read_watermarks.username = $1
       and read_watermarks.channel = batch.channel
       and batch.channel not in (select channel from doubled)
  )
  select from batch`

const hidden = (rest: string) => `
  with batch as materialized (
    select channel, hidden_ts from hidden_dms where username = $1 ${rest}
  ), gone as (
    delete from hidden_dms using batch where hidden_dms.username = $1 and hidden_dms.channel = batch.channel
  )
  insert into hidden_dms as kept (username, channel, hidden_ts)
  select $2, channel, hidden_ts from batch
      on conflict (username, channel) do update set hidden_ts = greatest(kept.hidden_ts, excluded.hidden_ts)`

/** Tables in which the person may have two rows in the end: what came later is added to what was moved. */
const DOUBLED = [reactions, follows, watermarks, hidden]
const BATCH = 'limit $3 for update skip locked'
const IN_BATCHES = [
  MENTIONS,
  FORWARDS,
  REMOVED,
  PINS,
  FILES,
  INVITED,
  SPENT_UPLOADS,
  ...DOUBLED.map(statement => statement(BATCH)),
]

/** Moves what a batch left of these tables, because others held it or because it is new. */
export async function moveDoubled(tx: Db, from: Username, to: Username): Promise<void> {
  for (const statement of DOUBLED) await tx.query(statement('for update'), [from, to])
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
