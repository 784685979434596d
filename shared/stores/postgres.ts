import pg from 'pg'
import { log } from '#shared/kernel/log.ts'

/** The pool or a transaction: what a statement needs. */
export interface Db {
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

// Ids are far below 2^53: numbers, not text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export function openPool(databaseUrl: string, size = 10): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'bothy',
    // Nothing may hold a lock or a connection for longer (security 11).
    options: '-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000 -c lock_timeout=3000',
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', err => log.warn({ err }, 'idle database connection lost'))
  return pool
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (err) {
    try {
      await client.query('rollback')
    } catch (rollbackErr) {
      broken = rollbackErr as Error
    }
    throw err
  } finally {
    client.release(broken)
  }
}

/** The database is away or overloaded, rather than wrong about our statement: worth a 503, not a 500. */
export function isUnavailable(err: unknown): boolean {
  const code = (err as { code?: string } | undefined)?.code ?? ''
  if (/^(ECONN|EPIPE|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT)/.test(code)) return true
  // Class 08 connection, 53 resources, 57P0x shutdown, 57014 statement time-out, 55P03 lock time-out, 25006 read-only.
  if (/^(08|53|57P0)/.test(code) || ['57014', '55P03', '25006', '40P01'].includes(code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    (err as Error | undefined)?.message ?? '',
  )
}

/** Two transactions waited for each other, and this one was chosen to give way. */
export const isDeadlock = (err: unknown): boolean => (err as { code?: string } | undefined)?.code === '40P01'

/** A row was to refer to an account that was deleted a moment ago. */
export function isOfDeletedAccount(err: unknown): boolean {
  const pgError = err as { code?: string; detail?: string } | undefined
  return pgError?.code === '23503' && /is not present in table "users"/.test(pgError.detail ?? '')
}

/** `unique_violation` of this index. */
export function isDuplicate(err: unknown, constraint: string): boolean {
  const pgError = err as { code?: string; constraint?: string } | undefined
  return pgError?.code === '23505' && pgError.constraint === constraint
}
