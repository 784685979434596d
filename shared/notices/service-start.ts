import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction, isUnavailable } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { finishCall } from './finish-call.ts'
import { type Invalidated, publishInvalidated } from './invalidated.ts'
import { INVALIDATES } from './invalidations.ts'
import { appendNotice } from './notice-log.ts'

/** Heartbeat interval of a process, and how long a heartbeat is valid. */
const BEAT: Milliseconds = 5_000
const LIVES_FOR: Seconds = 15
/** Replicas silent for this long are deleted once another one is alive. */
const FORGOTTEN_AFTER: Seconds = 60
/** How long a start waits for silent replicas: a heartbeat plus the longest delay by a broken connection. */
const MISSED_FOR: Milliseconds = BEAT + 7_000
const LOOK_AGAIN: Milliseconds = 500
/** Statement timeout of the resets, for large installations. */
const RESETS_TAKE: Milliseconds = 60_000
/** Retry interval while the database is away. */
const TRY_AGAIN: Milliseconds = 500

/** Arbitrary id of the advisory lock held while a process joins. */
const LOCK = 2_607_041_979

/**
 * Implements the interface's "service start" (1): everyone offline, overrides cleared, calls and shares ended, signals
 * and media deleted. The service starts when a process comes up while no other is alive. Each api and janitor process
 * sends heartbeats and joins here before it is ready. A process that finds none alive opens an epoch and does the
 * resets in the same transaction, under a lock that the others wait for. The resets therefore run once per start,
 * before any request is served, for any number and order of starting processes, with or without a janitor, and never
 * because a single process restarts.
 *
 * Processes that are all killed and back within fifteen seconds look as if they had stayed alive, unless their
 * supervisor names each run (STACK_ID, as npm start does): replicas of another run do not count.
 *
 * In this room because it writes and publishes, for two services.
 */
export class Replica {
  readonly #stores: Stores
  readonly #service: string
  readonly #stack: string | undefined
  readonly #id = randomUUID()
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> | undefined

  constructor(stores: Stores, service: string, stack: string | undefined) {
    this.#stores = stores
    this.#service = service
    this.#stack = stack
  }

  readonly name = 'replica'

  async start() {
    await this.#join()
    this.#timer = setInterval(() => this.#beat(), BEAT)
  }

  /** Deregisters, so that a start right afterwards counts as a service start. */
  async stop() {
    clearInterval(this.#timer)
    await this.#beating
    await this.#stores.db.query('delete from replicas where replica = $1', [this.#id])
  }

  async #join() {
    let outcome = await this.#tryToJoin({ waits: true })
    // Silence may mean that only the database was away: then heartbeats resume soon.
    const giveUpAt = performance.now() + MISSED_FOR
    while (outcome === 'somebody is missed') {
      await pause(LOOK_AGAIN)
      outcome = await this.#tryToJoin({ waits: performance.now() < giveUpAt })
    }
    log.info({ outcome }, outcome === 'opened' ? 'the service starts' : 'the service runs')
  }

  async #tryToJoin({ waits }: { waits: boolean }): Promise<Outcome> {
    for (;;) {
      try {
        return await this.#joinOnce(waits)
      } catch (err) {
        if (!isUnavailable(err)) throw err
        log.warn({ err }, 'not in the service yet')
        await pause(TRY_AGAIN)
      }
    }
  }

  async #joinOnce(waits: boolean): Promise<Outcome> {
    const invalidated: Invalidated[] = []
    let changed = false
    const join = async (tx: Db): Promise<Outcome> => {
      await holdDoor(tx)
      await forgetOtherRuns(tx, this.#stack)
      const { living, missed } = await census(tx)
      if (living === 0) {
        if (missed > 0 && waits) return 'somebody is missed'
        changed = await resetAll(tx, invalidated, this.#stores.clock.now())
        await openEpoch(tx, this.#service)
      }
      await forgetSilent(tx)
      await sayAlive(tx, this.#id, this.#service, this.#stack)
      return living === 0 ? 'opened' : 'joined'
    }
    const outcome = await inTransaction(this.#stores.pool, join, { statement: RESETS_TAKE })
    await publishInvalidated(this.#stores, invalidated)
    if (changed) {
      await appendNotice(this.#stores.redis, this.#stores.keys, { collections: INVALIDATES.serviceStart })
    }
    return outcome
  }

  #beat() {
    this.#beating ??= sayAlive(this.#stores.db, this.#id, this.#service, this.#stack)
      .catch(err => log.warn({ err }, 'could not say that we live'))
      .finally(() => {
        this.#beating = undefined
      })
  }
}

type Outcome = 'opened' | 'joined' | 'somebody is missed'

/** Serialises joining: the others wait for the resets. */
async function holdDoor(tx: Db) {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
}

async function forgetOtherRuns(tx: Db, stack: string | undefined) {
  await tx.query('delete from replicas where stack <> $1', [stack ?? null])
}

/** Deletes silent replicas. Called after the census: until then, silence may mean a lost database. */
async function forgetSilent(tx: Db) {
  await tx.query(
    `delete from replicas
      where beat_ts < extract(epoch from clock_timestamp()) - $1::double precision`,
    [FORGOTTEN_AFTER],
  )
}

/** Counts replicas by the database's clock, since the machines' clocks may differ. */
async function census(tx: Db) {
  const { rows } = await tx.query<{ living: number; missed: number }>(
    `select count(*) filter (where lives) as living, count(*) filter (where not lives) as missed
       from (select beat_ts > extract(epoch from clock_timestamp()) - $1::double precision as lives
               from replicas) known`,
    [LIVES_FOR],
  )
  return rows[0]!
}

/** Upserts, because the row may have been deleted as silent. */
async function sayAlive(db: Db, id: string, service: string, stack: string | undefined) {
  await db.query(
    `insert into replicas (replica, service, stack, beat_ts)
     values ($1, $2, $3, extract(epoch from clock_timestamp()))
     on conflict (replica) do update set beat_ts = excluded.beat_ts`,
    [id, service, stack ?? null],
  )
}

async function openEpoch(tx: Db, service: string) {
  await tx.query(
    `insert into service_epochs (started_ts, opened_by)
     values (extract(epoch from clock_timestamp()), $1)`,
    [service],
  )
}

/** Resets all state. Adds the calls to `invalidated`; returns whether anything else changed. */
async function resetAll(tx: Db, invalidated: Invalidated[], now: Seconds): Promise<boolean> {
  for (const callId of await livingCalls(tx)) await finishCall(tx, invalidated, callId, 'ended', now)
  const shares = await endShares(tx, now)
  const people = await resetPresence(tx)
  await tx.query('delete from signals')
  await tx.query('delete from media_chunks')
  return shares + people > 0
}

/** Ordered by id, as everywhere, to avoid deadlocks. */
async function livingCalls(tx: Db): Promise<string[]> {
  const { rows } = await tx.query<{ call_id: string }>(
    `select call_id from calls where state in ('ringing', 'active') order by call_id`,
  )
  return rows.map(row => row.call_id)
}

async function endShares(tx: Db, now: Seconds): Promise<number> {
  const { rowCount } = await tx.query(
    `update screen_shares set state = 'ended', ended_ts = $1 where state = 'active'`,
    [now],
  )
  return rowCount ?? 0
}

async function resetPresence(tx: Db): Promise<number> {
  const { rowCount } = await tx.query(
    `update presence
        set state = 'offline', override = null
      where state <> 'offline' or override is not null`,
  )
  return rowCount ?? 0
}
