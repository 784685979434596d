import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { runUnlimited, withPreparingClient } from './preparing-client.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

/** Arbitrary, but unique among the advisory locks of the database. */
const LOCK = 2_607_041_978

/** First line of a migration that runs statement by statement, to build indexes `concurrently`. */
const OUTSIDE = '-- outside of a transaction\n'
const LOOK_AGAIN: Milliseconds = 100
const LOCK_WAIT: Milliseconds = 500
/** Between two attempts at most. */
const LONGEST_PAUSE: Milliseconds = 10_000
/** Afterwards the process exits; its supervisor restarts it. */
const LOCK_TRIED_FOR: Milliseconds = 30 * 60_000

/**
 * Applies pending migrations: SQL files in order, each in its own transaction, under an advisory lock. Throws if the
 * database is newer than this program. `upTo`: the last file to apply, for tests of an older schema, or all that are
 * applied, for the schema of a backup.
 */
export async function migrate(databaseUrl: string, upTo?: string | readonly string[]): Promise<string[]> {
  return withPreparingClient(databaseUrl, async client => {
    await takeLock(client)
    await createHistory(client)
    const applied = new Set(await appliedMigrations(client))
    const known = await migrationFiles()
    const unknown = [...applied].filter(name => !known.includes(name))
    if (unknown.length > 0)
      throw new Error(`The database is newer than this bothy (${unknown.join(', ')}): start a newer one.`)

    const missing = known.filter(name => !applied.has(name) && isWanted(name, upTo))
    for (const name of missing) await apply(client, name)
    return missing
  })
}

function isWanted(name: string, upTo: string | readonly string[] | undefined): boolean {
  if (upTo === undefined) return true
  return typeof upTo === 'string' ? name <= upTo : upTo.includes(name)
}

/** Migrations of this list that this program does not have. */
export async function unknownMigrations(names: readonly string[]): Promise<string[]> {
  const known = await migrationFiles()
  return names.filter(name => !known.includes(name))
}

/** Not `create table if not exists`: it requires the right to create tables, which the role of the processes lacks. */
async function createHistory(client: pg.Client) {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  )
  if (rows[0]!.found) return
  await client.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
}

/** Polls: `concurrently` would wait for a statement that waits for the lock. */
async function takeLock(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK,
    ])
    if (rows[0]!.taken) return
    await pause(LOOK_AGAIN)
  }
}

/**
 * Readers and writers of a table queue behind a waiting `alter table`, possibly for the length of a pg_dump. Therefore
 * a migration stops waiting after half a second, and tries again later.
 */
async function apply(client: pg.Client, name: string) {
  const sql = await readFile(join(FOLDER, name), 'utf8')
  const attempt = () =>
    sql.startsWith(OUTSIDE) ? applyOutside(client, name, sql) : applyWhole(client, name, sql)
  const giveUpAt = performance.now() + LOCK_TRIED_FOR
  for (let wait = 1_000; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    try {
      return await attempt()
    } catch (err) {
      // A broken connection: not the migration's fault.
      if (!(err instanceof pg.DatabaseError)) throw err
      if (!isLockTimeOut(err) || performance.now() > giveUpAt)
        throw new Error(`Migration ${name} failed: ${err.message}`, { cause: err })
      log.warn({ name, wait }, 'migration waits for a table that somebody reads or writes for long')
      await pause(wait)
    }
  }
}

async function applyWhole(client: pg.Client, name: string, sql: string) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_WAIT}`)
    await runUnlimited(client, sql)
    await client.query('insert into schema_migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (err) {
    await client.query('rollback').catch(() => {})
    throw err
  }
}

/** An interrupted migration restarts from the beginning, so each of its statements must be repeatable. */
async function applyOutside(client: pg.Client, name: string, sql: string) {
  for (const statement of sql.split(/;\s*$/m)) {
    if (statement.trim() === '') continue
    // `create index concurrently` does not block writes while it waits.
    const wait = /\bconcurrently\b/i.test(statement) ? 0 : LOCK_WAIT
    await client.query(`set lock_timeout = ${wait}`)
    await runUnlimited(client, statement)
  }
  await client.query('insert into schema_migrations (name) values ($1)', [name])
}

const isLockTimeOut = (err: unknown) => (err as { code?: string }).code === '55P03'

/** Throws while the database lacks a migration of this program. */
export async function assertSchemaCurrent(db: { query(sql: string): Promise<{ rows: { name: string }[] }> }) {
  const { rows } = await db.query('select name from schema_migrations')
  const applied = new Set(rows.map(row => row.name))
  const missing = (await migrationFiles()).filter(name => !applied.has(name))
  if (missing.length > 0) {
    throw new Error(`The database lacks ${missing.join(', ')}. Run: node infra/tools/migrate.ts`)
  }
}

async function appliedMigrations(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  return rows.map(row => row.name)
}

async function migrationFiles() {
  return (await readdir(FOLDER)).filter(name => name.endsWith('.sql')).sort()
}
