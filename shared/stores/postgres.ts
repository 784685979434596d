import { createHash } from 'node:crypto'
import pg from 'pg'
import { Gauge, Histogram } from 'prom-client'
import type { Milliseconds } from '#shared/domain/units.ts'
import { ConfigurationError } from '#shared/runtime/config.ts'
import { log, SERVICE } from '#shared/runtime/log.ts'
import { type Fault, unusable } from '#shared/runtime/variables.ts'
import { outages } from './outages.ts'
import { isBrokenConnection, isOfReadOnly, isSilence } from './postgres-errors.ts'
import { connectionTo, forgetPrimary } from './postgres-servers.ts'

/** Runs statements: the pool or a transaction. */
export interface Db {
  query<Row extends pg.QueryResultRow>(
    statement: string | PreparedStatement,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>
}

export interface PreparedStatement {
  name: string
  text: string
}

/**
 * Returns a statement that each connection parses once and plans a few times at most. For frequent statements of index
 * probes, whose planning takes longer than their execution. Through a connection pooler they have no names.
 */
export const prepared = (text: string): PreparedStatement => ({
  name: createHash('sha256').update(text).digest('hex').slice(0, 32),
  text,
})

// Ids are far below 2^53: numbers, not text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** The server cancels a statement after this time, and one that waits for a lock after three seconds (security 11). */
const STATEMENT: Milliseconds = 5_000
/** Added to the server's limit before a missing reply counts as a broken connection. */
const GRACE: Milliseconds = 2_000

const LIMITS = {
  statement_timeout: STATEMENT,
  idle_in_transaction_session_timeout: 10_000,
  lock_timeout: 3_000,
}

export interface PoolOptions {
  size?: number | undefined
  /** The address is that of a connection pooler in transaction mode (architecture 7). */
  isPooled?: boolean
}

export function openPool(databaseUrl: string, { size = 10, isPooled = false }: PoolOptions = {}): pg.Pool {
  const ofSession = {
    options: Object.entries(LIMITS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  }
  const pool = new MeasuredPool({
    max: size,
    connectionTimeoutMillis: 5_000,
    query_timeout: STATEMENT + GRACE,
    keepAlive: true,
    application_name: `bothy ${SERVICE}`,
    ...(isPooled ? connectionTo(databaseUrl, UnnamedClient) : { ...connectionTo(databaseUrl), ...ofSession }),
  })
  // The pool listens to idle connections only. Without a listener, an `error` event ends the process.
  pool.on('connect', client => client.on('error', err => log.debug({ err }, 'database connection broken')))
  pool.on('error', err => outages.postgres.noteFailure(err))
  dropUnusable(pool, databaseUrl)
  pools.add(pool)
  const forget = outages.postgres.addProbe(() =>
    pool.ending ? Promise.resolve(forget()) : pool.query('select 1'),
  )
  return pool
}

/** Names no statements: through a pooler, the next statement may run in another session, which does not know the name. */
class UnnamedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.
  override query(config: any, ...others: any[]): any {
    const isNamed = typeof config === 'object' && config !== null && 'name' in config && !('submit' in config)
    const query = super.query as (...args: unknown[]) => unknown
    return query.call(this, isNamed ? { ...config, name: undefined } : config, ...others)
  }
}

/**
 * Throws if connections come without time limits: a pooler has dropped those of `openPool`, or has none of its own.
 * Sessions behind it would then be shared unnoticed.
 */
export async function assertLimited(pool: pg.Pool, { isPooled = false }: PoolOptions): Promise<void> {
  const names = Object.keys(LIMITS)
  const { rows } = await pool.query<{ name: string }>(
    `select name from pg_settings where name = any($1) and setting = '0' order by name`,
    [names],
  )
  if (rows.length === 0) return
  const missing = rows.map(row => row.name).join(', ')
  throw new ConfigurationError([
    isPooled
      ? {
          found: `DATABASE_URL: the connections of the pooler have no ${missing}.`,
          next: 'Set them in connect_query, as “A connection pooler” in docs/operations.md says.',
        }
      : POOLER,
  ])
}

const POOLER: Fault = {
  found: 'DATABASE_URL leads to a connection pooler.',
  next: 'Name the server itself in DATABASE_DIRECT_URL, for migrations and the schedule.',
}

const pools = new Set<pg.Pool>()

new Gauge({
  name: 'bothy_pg_pool_connections',
  help: 'Connections to PostgreSQL that are idle or busy, and requests that wait for one.',
  labelNames: ['state'],
  collect() {
    const of = (count: (pool: pg.Pool) => number) => [...pools].reduce((sum, pool) => sum + count(pool), 0)
    this.labels('idle').set(of(pool => pool.idleCount))
    this.labels('busy').set(of(pool => pool.totalCount - pool.idleCount))
    this.labels('waiting').set(of(pool => pool.waitingCount))
  },
})

const waits = new Histogram({
  name: 'bothy_pg_pool_wait_seconds',
  help: 'Time until a connection to PostgreSQL is free.',
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5],
})

type Connected = (
  err: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

class MeasuredPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected) {
    const waited = waits.startTimer()
    if (!callback) return super.connect().finally(waited)
    return super.connect((err, client, done) => {
      waited()
      callback(err, client, done)
    })
  }

  /** A statement that a former primary refused has changed nothing: it goes once to the present one. */
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.
  override query(...args: any[]): any {
    const query = super.query as (...args: unknown[]) => unknown
    const result = query.apply(this, args)
    if (!(result instanceof Promise)) return result
    return result.catch(err => {
      if (!isOfReadOnly(err)) throw err
      return query.apply(this, args)
    })
  }
}

/**
 * Drops all idle connections when a statement gets no reply, or that of a server that takes no writes any more: the
 * others probably lead to the same server, and each would cost a request the whole time-out, or a failure.
 */
function dropUnusable(pool: pg.Pool, databaseUrl: string) {
  const idle = new Set<pg.PoolClient>()
  pool.on('acquire', client => idle.delete(client))
  pool.on('remove', client => idle.delete(client))
  pool.on('release', (err, client) => {
    if (!err) idle.add(client)
    if (!isSilence(err) && !isOfReadOnly(err)) return
    forgetPrimary(databaseUrl)
    const suspects = [...idle]
    idle.clear()
    // The pool's own listener removes an idle connection with an error.
    for (const suspect of suspects)
      suspect.emit('error', new Error('Connection terminated: another one is unusable'))
  })
}

export interface TransactionOptions {
  /** Time limit for statements and lock waits longer than a request's. */
  statement?: Milliseconds
  /** Reads only, and every statement sees the same moment: for a list and its counts. */
  snapshot?: boolean
}

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Its first statement precedes
 * all effects: if a server that takes no writes refuses this one, `work` runs once more, elsewhere.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Db) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  let hasReplies = false
  const watched = (tx: Db) =>
    work({
      async query(statement, values) {
        const result = await tx.query<never>(statement, values)
        hasReplies = true
        return result
      },
    })
  try {
    return await transaction(pool, watched, options)
  } catch (err) {
    if (hasReplies || !isOfReadOnly(err)) throw err
    return await transaction(pool, work, options)
  }
}

async function transaction<T>(
  pool: pg.Pool,
  work: (tx: Db) => Promise<T>,
  { statement, snapshot }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const tx = statement === undefined ? client : patient(client, statement)
    await client.query(snapshot ? 'begin isolation level repeatable read read only' : 'begin')
    if (statement !== undefined)
      await client.query(`set local statement_timeout = ${statement}; set local lock_timeout = ${statement}`)
    const result = await work(tx)
    await client.query('commit')
    return result
  } catch (err) {
    broken = isBrokenConnection(err) || isOfReadOnly(err) ? (err as Error) : await rollBack(client)
    throw err
  } finally {
    client.release(broken)
  }
}

const patient = (client: pg.PoolClient, statement: Milliseconds): Db => ({
  query<Row extends pg.QueryResultRow>(sql: string | PreparedStatement, values?: unknown[]) {
    const config = { ...(typeof sql === 'string' ? { text: sql } : sql), values }
    return client.query<Row>(Object.assign(config, { query_timeout: statement + GRACE }))
  },
})

async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
  } catch (err) {
    return err as Error
  }
}

export interface DatabaseAddress {
  variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_ADMIN_URL'
  url: string
}

/** The fault of an address that the server reports: a wrong password, user or database. */
export function wrongDatabaseUrl(err: unknown, address: DatabaseAddress): Fault | undefined {
  const { code = '', cause, message } = err as { code?: string; cause?: unknown; message: string }
  if (/unsupported startup parameter/.test(message)) return POOLER
  if (/^(28|3D)/.test(code))
    return unusable(
      address.variable,
      address.url,
      message,
      'Correct user, password and database, or create them in PostgreSQL.',
    )
  return cause ? wrongDatabaseUrl(cause, address) : undefined
}

/** Names the parameters of a statement in order: `positions('channel', 'sender').sender` is `$2`. */
export const positions = <Name extends string>(...names: Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name, i) => [name, `$${i + 1}`])) as Record<Name, string>
