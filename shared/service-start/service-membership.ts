import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { type Invalidated, publishInvalidated } from '#shared/notices/invalidated.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { appendNotice } from '#shared/notices/notice-log.ts'
import { log } from '#shared/runtime/log.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import { isUnavailable } from '#shared/stores/postgres-errors.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { resetService } from './reset-service.ts'

/** Heartbeat interval of a process, and how long a heartbeat is valid. */
const HEARTBEAT_INTERVAL: Milliseconds = 5_000
const HEARTBEAT_VALID_FOR: Seconds = 15
/** Replicas silent for this long are deleted once another one is alive. */
const DELETED_AFTER: Seconds = 60
/** How long a start waits for silent replicas: a heartbeat plus the longest delay by a broken connection. */
const WAITS_FOR_SILENT: Milliseconds = HEARTBEAT_INTERVAL + 7_000
const RETRY_JOIN: Milliseconds = 500
/** Statement timeout of the resets, for large installations. */
const RESET_TIMEOUT: Milliseconds = 60_000
/** Retry interval while the database is away. */
const RETRY_DATABASE: Milliseconds = 500

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
 */
export class ServiceMembership {
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

  readonly name = 'service membership'

  async start() {
    await this.#join()
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_INTERVAL)
  }

  /**
   * Joins in the restored database that replaced the former one. Heartbeats of living processes may be there already, but
   * a restore leaves no epoch: the first process to come opens one.
   */
  async rejoin() {
    const invalidated: Invalidated[] = []
    const join = async (tx: Db): Promise<Outcome> => {
      await lockMembership(tx)
      const isOpen = await hasEpoch(tx)
      if (!isOpen) await this.#open(tx, invalidated)
      await recordHeartbeat(tx, this.#id, this.#service, this.#stack)
      return isOpen ? 'joined' : 'opened'
    }
    const outcome = await inTransaction(this.#stores.pool, join, { statement: RESET_TIMEOUT })
    await this.#publish(invalidated, outcome === 'opened')
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
    const giveUpAt = performance.now() + WAITS_FOR_SILENT
    while (outcome === 'others are silent') {
      await pause(RETRY_JOIN)
      outcome = await this.#tryToJoin({ waits: performance.now() < giveUpAt })
    }
    log.info({ outcome }, outcome === 'opened' ? 'the service starts' : 'the service runs')
  }

  async #tryToJoin({ waits }: { waits: boolean }): Promise<Outcome> {
    for (;;) {
      try {
        return await this.#joinOnce(waits)
      } catch (err) {
        if (!noteStoreFailure(err)) {
          if (!isUnavailable(err)) throw err
          log.warn({ err }, 'not in the service yet')
        }
        await pause(RETRY_DATABASE)
      }
    }
  }

  async #joinOnce(waits: boolean): Promise<Outcome> {
    const invalidated: Invalidated[] = []
    let changed = false
    const join = async (tx: Db): Promise<Outcome> => {
      await lockMembership(tx)
      await deleteOtherRuns(tx, this.#stack)
      const { alive, silent } = await countMembers(tx)
      if (alive === 0) {
        if (silent > 0 && waits) return 'others are silent'
        changed = await this.#open(tx, invalidated)
      }
      await deleteSilent(tx)
      await recordHeartbeat(tx, this.#id, this.#service, this.#stack)
      return alive === 0 ? 'opened' : 'joined'
    }
    const outcome = await inTransaction(this.#stores.pool, join, { statement: RESET_TIMEOUT })
    await this.#publish(invalidated, changed)
    return outcome
  }

  /** Does the resets; returns whether they changed anything but calls. */
  async #open(tx: Db, invalidated: Invalidated[]): Promise<boolean> {
    const changed = await resetService(tx, invalidated, this.#stores.clock.now())
    await openEpoch(tx, this.#service)
    return changed
  }

  async #publish(invalidated: Invalidated[], changed: boolean) {
    await publishInvalidated(this.#stores, invalidated)
    if (changed) {
      await appendNotice(this.#stores.redis, this.#stores.keys, noticeOf('serviceStart', {}))
    }
  }

  #beat() {
    this.#beating ??= recordHeartbeat(this.#stores.db, this.#id, this.#service, this.#stack)
      .catch(err => {
        if (!noteStoreFailure(err)) log.warn({ err }, 'heartbeat not recorded')
      })
      .finally(() => {
        this.#beating = undefined
      })
  }
}

type Outcome = 'opened' | 'joined' | 'others are silent'

/** Serialises joining: the others wait for the resets. */
async function lockMembership(tx: Db) {
  await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.serviceStart])
}

async function deleteOtherRuns(tx: Db, stack: string | undefined) {
  await tx.query('delete from replicas where stack <> $1', [stack ?? null])
}

/** Deletes silent replicas. Called after the count: until then, silence may mean a lost database. */
async function deleteSilent(tx: Db) {
  await tx.query(
    `delete from replicas
      where beat_ts < extract(epoch from clock_timestamp()) - $1::double precision`,
    [DELETED_AFTER],
  )
}

/** Counts replicas by the database's clock, since the machines' clocks may differ. */
async function countMembers(tx: Db) {
  const { rows } = await tx.query<{ alive: number; silent: number }>(
    `select count(*) filter (where is_alive) as alive, count(*) filter (where not is_alive) as silent
       from (select beat_ts > extract(epoch from clock_timestamp()) - $1::double precision as is_alive
               from replicas) known`,
    [HEARTBEAT_VALID_FOR],
  )
  return rows[0]!
}

/** Upserts, because the row may have been deleted as silent. */
async function recordHeartbeat(db: Db, id: string, service: string, stack: string | undefined) {
  await db.query(
    `insert into replicas (replica, service, stack, beat_ts)
     values ($1, $2, $3, extract(epoch from clock_timestamp()))
     on conflict (replica) do update set beat_ts = excluded.beat_ts`,
    [id, service, stack ?? null],
  )
}

async function hasEpoch(tx: Db): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>('select exists (select from service_epochs) as found')
  return rows[0]!.found
}

async function openEpoch(tx: Db, service: string) {
  await tx.query(
    `insert into service_epochs (started_ts, opened_by)
     values (extract(epoch from clock_timestamp()), $1)`,
    [service],
  )
}
