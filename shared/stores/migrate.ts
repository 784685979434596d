import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { ConfigurationError } from '#shared/runtime/config.ts'
import { log, messageWithoutValues } from '#shared/runtime/log.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { runUnlimited, withPreparingClient } from './preparing-client.ts'
import { isOlderRelease, newestRelease } from './releases.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

/** First line of a migration that runs statement by statement, to build indexes `concurrently`. */
const OUTSIDE = '-- outside of a transaction\n'
/** Line of a migration with the oldest release that runs on its schema; without it no older one does. */
const WORKS_FROM = /^-- works from (\d+\.\d+\.\d+)$/m
const LOOK_AGAIN: Milliseconds = 100
const TELL_EVERY: Milliseconds = 5_000
const LOCK_WAIT: Milliseconds = 500
/** Between two attempts at most. */
const LONGEST_PAUSE: Milliseconds = 10_000
/** Afterwards the process exits; its supervisor restarts it. */
const LOCK_TRIED_FOR: Milliseconds = 30 * 60_000

/** A release: its migrations and its version. Tests have others beside this one. */
export interface Release {
  folder: string
  version: string
}

const THIS: Release = { folder: FOLDER, version: VERSION }

/**
 * Applies pending migrations: SQL files in order, each in its own transaction, under an advisory lock. Throws if the
 * database has migrations of a newer release on which this one does not run (docs/adr/0015). `upTo`: the last file to
 * apply, for tests of an older schema, or all that are applied, for the schema of a backup.
 */
export async function migrate(
  databaseUrl: string,
  upTo?: string | readonly string[],
  release = THIS,
): Promise<string[]> {
  return withPreparingClient(databaseUrl, async client => {
    await takeLock(client)
    await createHistory(client)
    const applied = await appliedMigrations(client)
    const known = await migrationFiles(release.folder)
    refuseNewer(applied, known, release.version)

    const names = new Set(applied.map(({ name }) => name))
    const missing = known.filter(name => !names.has(name) && isWanted(name, upTo))
    for (const name of missing) await apply(client, join(release.folder, name), name)
    return missing
  })
}

interface Applied {
  name: string
  works_from: string | null
}

/** Throws if a migration that this release does not have excludes it. */
function refuseNewer(applied: readonly Applied[], known: readonly string[], version: string) {
  const excluding = applied.filter(
    ({ name, works_from }) =>
      !known.includes(name) && (works_from === null || isOlderRelease(version, works_from)),
  )
  if (excluding.length === 0) return
  const wanted = newestRelease(excluding.flatMap(({ works_from }) => works_from ?? []))
  const names = excluding.map(({ name }) => name).join(', ')
  throw new ConfigurationError([
    {
      found: `The database is newer than this bothy ${version} (${names}).`,
      next: `Either start ${wanted ?? 'a newer release'}${wanted ? ' or later' : ''}, or restore the backup from before the upgrade.`,
    },
  ])
}

export interface Pending {
  name: string
  /** The oldest release that runs on the schema afterwards; null: no older one. */
  works_from: string | null
  /** Runs statement by statement, without blocking writers. */
  is_outside: boolean
}

/** Migrations of this program that the database lacks, without applying them. */
export async function pendingMigrations(databaseUrl: string, release = THIS): Promise<Pending[]> {
  return withPreparingClient(databaseUrl, async client => {
    const applied = (await hasHistory(client)) ? await appliedMigrations(client) : []
    const known = await migrationFiles(release.folder)
    refuseNewer(applied, known, release.version)
    const names = new Set(applied.map(({ name }) => name))
    return Promise.all(
      known
        .filter(name => !names.has(name))
        .map(async name => {
          const sql = await readFile(join(release.folder, name), 'utf8')
          return { name, works_from: worksFrom(sql), is_outside: sql.startsWith(OUTSIDE) }
        }),
    )
  })
}

const worksFrom = (sql: string): string | null => WORKS_FROM.exec(sql)?.[1] ?? null

function isWanted(name: string, upTo: string | readonly string[] | undefined): boolean {
  if (upTo === undefined) return true
  return typeof upTo === 'string' ? name <= upTo : upTo.includes(name)
}

/** Migrations of this list that this program does not have. */
export async function unknownMigrations(names: readonly string[]): Promise<string[]> {
  const known = await migrationFiles(FOLDER)
  return names.filter(name => !known.includes(name))
}

/** Not `create table if not exists`: it requires the right to create tables, which the role of the processes lacks. */
async function createHistory(client: pg.Client) {
  if (await hasHistory(client)) return
  await client.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
}

async function hasHistory(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  )
  return rows[0]!.found
}

/** Polls: `concurrently` would wait for a statement that waits for the lock. */
async function takeLock(client: pg.Client) {
  for (let told = performance.now(); ; ) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      ADVISORY_LOCKS.migrations,
    ])
    if (rows[0]!.taken) return
    if (performance.now() - told >= TELL_EVERY) {
      told = performance.now()
      log.warn({ pid: await holderOf(client) }, 'waiting for the migration lock')
    }
    await pause(LOOK_AGAIN)
  }
}

/** The process of PostgreSQL whose session has the lock; undefined if it has just ended. */
async function holderOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid
       from pg_locks
      where locktype = 'advisory'
        and classid = 0
        and objid = $1
        and granted
        and database = (select oid from pg_database where datname = current_database())`,
    [ADVISORY_LOCKS.migrations],
  )
  return rows[0]?.pid
}

/**
 * Readers and writers of a table queue behind a waiting `alter table`, possibly for the length of a pg_dump. Therefore
 * a migration stops waiting after half a second, and tries again later.
 */
async function apply(client: pg.Client, path: string, name: string) {
  const sql = await readFile(path, 'utf8')
  const isOutside = sql.startsWith(OUTSIDE)
  const attempt = () => (isOutside ? applyOutside(client, name, sql) : applyWhole(client, name, sql))
  const giveUpAt = performance.now() + LOCK_TRIED_FOR
  for (let wait = 1_000; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    try {
      return await attempt()
    } catch (err) {
      // A broken connection: not the migration's fault.
      if (!(err instanceof pg.DatabaseError)) throw err
      if (!isLockTimeOut(err) || performance.now() > giveUpAt)
        throw new Error(
          `Migration ${name} failed: ${messageWithoutValues(err)}. ${isOutside ? 'The next attempt repeats its statements.' : 'The database is as it was before this migration.'}`,
          { cause: err },
        )
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
    await noteApplied(client, name, sql)
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
  await noteApplied(client, name, sql)
}

/** The column `works_from` is as old as the first migration that states it. */
async function noteApplied(client: pg.Client, name: string, sql: string) {
  const release = worksFrom(sql)
  if (release === null) await client.query('insert into schema_migrations (name) values ($1)', [name])
  else await client.query('insert into schema_migrations (name, works_from) values ($1, $2)', [name, release])
}

const isLockTimeOut = (err: unknown) => (err as { code?: string }).code === '55P03'

/** Throws while the database lacks a migration of this program, or has one on which it does not run. */
export async function assertSchemaCurrent(db: { query(sql: string): Promise<{ rows: Applied[] }> }) {
  const { rows } = await db.query('select name, works_from from schema_migrations')
  const applied = new Set(rows.map(row => row.name))
  const known = await migrationFiles(FOLDER)
  const missing = known.filter(name => !applied.has(name))
  if (missing.length > 0) {
    throw new Error(`The database lacks ${missing.join(', ')}. Run: node infra/tools/migrate.ts`)
  }
  refuseNewer(rows, known, VERSION)
}

async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  const { rows: columns } = await client.query<{ found: boolean }>(
    `select count(*) > 0 as found from pg_attribute
      where attrelid = 'schema_migrations'::regclass and attname = 'works_from' and not attisdropped`,
  )
  const works_from = columns[0]!.found ? 'works_from' : 'null as works_from'
  const { rows } = await client.query<Applied>(`select name, ${works_from} from schema_migrations`)
  return rows
}

async function migrationFiles(folder: string) {
  return (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
}
