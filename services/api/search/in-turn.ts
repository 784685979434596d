import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import { isStatementTimeout } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Longest time of a statement: what bounds a search are its rows. */
const STATEMENT: Milliseconds = 3_000
/** Between two attempts, while the person searches through another process. */
const TRY_AGAIN: Milliseconds = 40
const LONGEST_WAIT: Milliseconds = 5_000
const RETRY_AFTER: Seconds = 1

/** All statements of a page see the same rows, and each is planned for few of them. */
const SETTINGS = `
  set transaction isolation level repeatable read, read only;
  set local jit = off;
  set local max_parallel_workers_per_gather = 0;
  set local enable_seqscan = off`

const LOCK = `select pg_try_advisory_xact_lock(hashtextextended('search of ' || $1, 0)) as "isAlone"`

/** The last search of each person in this process. */
const last = new Map<Username, Promise<unknown>>()

/**
 * Runs a search in a transaction of its own: one of a person at a time, over all processes. Each may occupy a processor
 * of the database; those of one person then leave the others to the rest of the office. Later ones wait without a
 * connection; 429 after five seconds. 503 if a statement takes too long.
 */
export async function inTurn<T>(
  { pool }: Pick<Stores, 'pool'>,
  viewer: Username,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const before = last.get(viewer)
  const { promise, resolve } = Promise.withResolvers<void>()
  last.set(viewer, promise)
  await before
  try {
    return await alone(pool, viewer, work)
  } catch (err) {
    if (!isStatementTimeout(err)) throw err
    throw errors.coded(503, 'unavailable', 'This search takes too long. Narrow the time or the channel.')
  } finally {
    resolve()
    if (last.get(viewer) === promise) last.delete(viewer)
  }
}

async function alone<T>(pool: Stores['pool'], viewer: Username, work: (tx: Db) => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_WAIT
  for (;;) {
    const done = await inTransaction(
      pool,
      async tx => {
        await tx.query(SETTINGS)
        const { rows } = await tx.query<{ isAlone: boolean }>(LOCK, [viewer])
        return rows[0]!.isAlone ? { result: await work(tx) } : undefined
      },
      { statement: STATEMENT },
    )
    if (done) return done.result
    if (performance.now() > until) throw errors.tooMany(RETRY_AFTER, 'requests_at_once')
    await pause(TRY_AGAIN)
  }
}
