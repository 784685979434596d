import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { ScheduledFailure } from '#shared/domain/payloads/later.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { clientIdOfScheduled, messageOfClientId } from '#shared/posting/client-ids.ts'
import { postText } from '#shared/posting/post.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Length of a run, so that a janitor stops soon. */
const SLICE: Milliseconds = 4_000
/** Sends at once. Each takes two connections. */
const AT_ONCE = 3
/** After an outage, later ones fail. */
const LATEST: Seconds = 24 * 3600

interface Due {
  id: number
  username: Username
  state: string
  channel: ChannelId
  text: string
  reply_to_id: number | null
  send_ts: Seconds
}

type Outcome = { state: 'sent'; message: number } | { state: 'failed'; why: ScheduledFailure }

/**
 * Sends what is due as the person (interface 11.5). The row stays locked until the outcome is stored. A janitor that is
 * killed after the send leaves it waiting: the next one posts with the same client id, which stores nothing twice.
 */
export async function sendScheduled(stores: Stores): Promise<number> {
  const until = performance.now() + SLICE
  const postponed = new Set<number>()
  const worker = async () => {
    let ended = 0
    while (performance.now() < until) {
      const username = await inTransaction(stores.pool, tx => sendNext(stores, tx, postponed))
      if (username === undefined) return ended
      if (username === null) continue
      ended++
      await publishNotice(stores, noticeOf('endScheduled', { users: [username] }))
    }
    return ended
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  const lost = workers.find(one => one.status === 'rejected')
  if (lost) throw lost.reason
  return workers.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0)
}

/** Returns the sender, null for a send that waits for the next run, undefined if nothing is due. */
async function sendNext(
  stores: Stores,
  tx: Db,
  postponed: Set<number>,
): Promise<Username | null | undefined> {
  const due = await claimDue(tx, stores.clock.now(), [...postponed])
  if (!due) return undefined
  const outcome = await outcomeOf(stores, due)
  if (!outcome) {
    postponed.add(due.id)
    return null
  }
  await tx.query(
    `update scheduled
        set state = $2, message_id = $3, failed_why = $4, ended_ts = extract(epoch from clock_timestamp())
      where id = $1`,
    [
      due.id,
      outcome.state,
      outcome.state === 'sent' ? outcome.message : null,
      outcome.state === 'failed' ? outcome.why : null,
    ],
  )
  return due.username
}

/**
 * Rows of other janitors, and of requests that change them, are skipped; as are those of people who get a new name. Sends
 * of a person in a channel keep their order.
 */
async function claimDue(tx: Db, now: Seconds, besides: number[]): Promise<Due | undefined> {
  const { rows } = await tx.query<Due>(
    `select scheduled.id, scheduled.username, account.state, channel, text, reply_to_id, send_ts
       from scheduled
       join users account using (username)
      where scheduled.state = 'waiting'
        and send_ts <= $1
        and scheduled.id <> all($2)
        and not exists (
              select from scheduled earlier
               where earlier.username = scheduled.username
                 and earlier.state = 'waiting'
                 and earlier.channel = scheduled.channel
                 and (earlier.send_ts, earlier.id) < (scheduled.send_ts, scheduled.id))
        and not exists (select from account_renames where account_renames.username = scheduled.username)
      order by send_ts, scheduled.id
      limit 1
        for update of scheduled skip locked`,
    [now, besides],
  )
  return rows[0]
}

/** Undefined: a store is away, or the channel has just changed; the next run tries again. */
async function outcomeOf(stores: Stores, due: Due): Promise<Outcome | undefined> {
  const clientId = clientIdOfScheduled(due.id)
  const earlier = await messageOfClientId(stores.db, due.username, clientId)
  if (earlier) return { state: 'sent', message: earlier.id }
  if (due.state !== 'active') return failed('deactivated')
  if (due.send_ts < stores.clock.now() - LATEST) return failed('too_late')
  try {
    const channel = await findReadableChannel(stores, due.username, due.channel)
    if (!channel || (await hasLeft(stores, due))) return failed('no_access')
    const replyTo = due.reply_to_id ?? undefined
    const { id } = await postText(stores, due.username, channel, { text: due.text, replyTo, clientId })
    return { state: 'sent', message: id }
  } catch (err) {
    if (err instanceof HttpError && err.status >= 400 && err.status < 500) return failed(reasonOf(err))
    // An account that was deleted meanwhile takes the row with it.
    if (!noteStoreFailure(err)) log.warn({ err, scheduled: due.id }, 'scheduled message not sent')
    return undefined
  }
}

/** A public channel: the send would join it again. */
async function hasLeft({ db }: Stores, { username, channel }: Due): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from channel_memberships where username = $1 and channel = $2 and not joined',
    [username, channel],
  )
  return rowCount === 1
}

const failed = (why: ScheduledFailure): Outcome => ({ state: 'failed', why })

function reasonOf({ status, body }: HttpError): ScheduledFailure {
  if (body.includes('archived channel')) return 'archived'
  if (body.includes('read-only channel')) return 'read_only'
  return status === 413 ? 'too_long' : 'no_access'
}
