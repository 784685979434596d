import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { log } from '#shared/kernel/log.ts'
import type { Milliseconds, Seconds } from '#shared/rules/units.ts'
import { type Db, inTransaction, isUnavailable } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { finishCall } from './finish-call.ts'
import { appendNotice } from './notice-log.ts'
import { publish, type Touched } from './touched.ts'
import { TOUCHES } from './touches.ts'

/** How often a process says that it lives, and how long that counts. */
const BEAT: Milliseconds = 5_000
const LIVES_FOR: Seconds = 15
/** Who has been silent for so long is forgotten as soon as somebody else is known to live. */
const FORGOTTEN_AFTER: Seconds = 60
/** How long a start waits for those who fell silent: a beat, and the longest that a broken connection holds one up. */
const MISSED_FOR: Milliseconds = BEAT + 7_000
const LOOK_AGAIN: Milliseconds = 500
/** On a large installation, each statement of the resets. */
const RESETS_TAKE: Milliseconds = 60_000
/** The database may be away when a process starts. */
const TRY_AGAIN: Milliseconds = 500

/** Any number will do, as long as nobody else uses it. Held while somebody finds out whether they are the first. */
const LOCK = 2_607_041_979

/**
 * The interface's «service start» (1): everyone offline, overrides cleared, calls and shares ended, signals and media gone.
 * It is the start of the *service*, not of a process: of one that comes up while no other lives. Each api and janitor
 * process therefore says that it lives, and goes through here before it is ready; whoever comes while none lives opens
 * an epoch and does the resets in the same transaction, under a lock that all others wait for. So they happen once per
 * start, with any number of processes starting at once and in any order, before anybody can act, with or without a janitor;
 * and never because one of them is started anew while another one lives.
 *
 * All of them killed at once and back within fifteen seconds look like ones that have lived on, unless their supervisor
 * names each run (STACK_ID, as npm start does): who lived in another run does not count.
 *
 * Stands in this room because it writes and publishes, and two services do it.
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

  /** Says goodbye, so that the next start of the service is one, however soon it comes. */
  async stop() {
    clearInterval(this.#timer)
    await this.#beating
    await this.#stores.db.query('delete from replicas where replica = $1', [this.#id])
  }

  async #join() {
    let outcome = await this.#tryToJoin({ waits: true })
    // Only the database may have been away, however long: then those who fell silent beat again soon.
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
    const touched: Touched[] = []
    let changed = false
    const join = async (tx: Db): Promise<Outcome> => {
      await holdDoor(tx)
      await forgetOtherRuns(tx, this.#stack)
      const { living, missed } = await census(tx)
      if (living === 0) {
        if (missed > 0 && waits) return 'somebody is missed'
        changed = await resetAll(tx, touched, this.#stores.clock.now())
        await openEpoch(tx, this.#service)
      }
      await forgetSilent(tx)
      await sayAlive(tx, this.#id, this.#service, this.#stack)
      return living === 0 ? 'opened' : 'joined'
    }
    const outcome = await inTransaction(this.#stores.pool, join, { statement: RESETS_TAKE })
    await publish(this.#stores, touched)
    if (changed) {
      await appendNotice(this.#stores.redis, this.#stores.keys, { collections: TOUCHES.serviceStart })
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

/** One at a time finds out; the others wait for the resets. */
async function holdDoor(tx: Db) {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
}

async function forgetOtherRuns(tx: Db, stack: string | undefined) {
  await tx.query('delete from replicas where stack <> $1', [stack ?? null])
}

/** Not before somebody is known to live: until then a silent one may be a process that only lost the database. */
async function forgetSilent(tx: Db) {
  await tx.query(
    `delete from replicas
      where beat_ts < extract(epoch from clock_timestamp()) - $1::double precision`,
    [FORGOTTEN_AFTER],
  )
}

/** By the database's clock: those of the machines may differ. */
async function census(tx: Db) {
  const { rows } = await tx.query<{ living: number; missed: number }>(
    `select count(*) filter (where lives) as living, count(*) filter (where not lives) as missed
       from (select beat_ts > extract(epoch from clock_timestamp()) - $1::double precision as lives
               from replicas) known`,
    [LIVES_FOR],
  )
  return rows[0]!
}

/** Again, too, when somebody has taken us for gone. */
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

/** The resets; answers whether there was anything to reset besides the calls, which go into `touched`. */
async function resetAll(tx: Db, touched: Touched[], now: Seconds): Promise<boolean> {
  for (const callId of await livingCalls(tx)) await finishCall(tx, touched, callId, 'ended', now)
  const shares = await endShares(tx, now)
  const people = await resetPresence(tx)
  await tx.query('delete from signals')
  await tx.query('delete from media_chunks')
  return shares + people > 0
}

/** In the order in which everybody takes several calls, so that no two wait for each other. */
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
