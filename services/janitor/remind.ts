import { findReadableMessage } from '#shared/access/readable-message.ts'
import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Length of a run, so that a janitor stops soon. */
const SLICE: Milliseconds = 4_000
/** Names per notice at most. */
const MOST_NAMES = 12

interface Due {
  username: Username
  message_id: number
}

/** Puts due reminders of saved messages into the inboxes, each in a transaction of its own (interface 11.4). */
export async function remind(stores: Stores): Promise<number> {
  const until = performance.now() + SLICE
  const reminded: Username[] = []
  try {
    while (performance.now() < until) {
      const reminder = await inTransaction(stores.pool, tx => remindNext({ ...stores, db: tx }, tx))
      if (reminder === undefined) break
      reminded.push(reminder)
    }
  } finally {
    const people = [...new Set(reminded)]
    for (let at = 0; at < people.length; at += MOST_NAMES)
      await publishNotice(stores, noticeOf('remind', { users: people.slice(at, at + MOST_NAMES) }))
  }
  return reminded.length
}

async function remindNext(stores: Stores, tx: Db): Promise<Username | undefined> {
  const due = await claimDue(tx, stores.clock.now())
  if (!due) return undefined
  // A renaming gives the messages of a DM another channel.
  await tx.query('select from messages where id = $1 for share', [due.message_id])
  const message = await findReadableMessage(stores, due.username, String(due.message_id))
  if (message?.deleted === 0) await insertReminder(tx, due, message.channel.id)
  await tx.query(
    `update saved set reminded_ts = extract(epoch from clock_timestamp()) where username = $1 and message_id = $2`,
    [due.username, due.message_id],
  )
  return due.username
}

/** The locked row of another janitor, or of a request that changes it, is skipped. */
async function claimDue(tx: Db, now: Seconds): Promise<Due | undefined> {
  const { rows } = await tx.query<Due>(
    `select username, message_id
       from saved
      where remind_ts <= $1 and reminded_ts is null and done_ts is null
      order by remind_ts
      limit 1
        for update skip locked`,
    [now],
  )
  return rows[0]
}

async function insertReminder(tx: Db, { username, message_id }: Due, channel: string) {
  await tx.query(
    `insert into activity (username, kind, channel, message_id, ts)
     values ($1, 'reminder', $2, $3, extract(epoch from clock_timestamp()))
     on conflict (message_id, kind, username) do update set ts = excluded.ts, channel = excluded.channel`,
    [username, channel, message_id],
  )
}
