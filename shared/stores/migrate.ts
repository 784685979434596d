import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { ConfigurationError } from '#shared/runtime/config.ts'
import { log, messageWithoutValues } from '#shared/runtime/log.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import {
  BASELINE,
  isFormer,
  isFormerSchema,
  refusePartialSchema,
  refuseUnfinished,
  TAKE_OVER,
  TAKEN_OVER_WORKS_FROM,
} from './baseline.ts'
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
 * database has migrations of a newer release on which this one does not run (docs/adr/0015), or a schema from before 0.1.0
 * was complete. `only`: the migrations of a backup, for an empty database that gets its schema.
 */
export async function migrate(
  databaseUrl: string,
  only?: readonly string[],
  release = THIS,
): Promise<string[]> {
  return withPreparingClient(databaseUrl, async client => {
    await takeLock(client)
    await createHistory(client)
    const missing = await missingMigrations(client, release)
    const pending = missing.filter(({ name }) => isWanted(name, only))
    for (const migration of pending) await apply(client, recordedAs(migration, only))
    return pending.map(({ name }) => name)
  })
}

interface Migration {
  name: string
  sql: string
  works_from: string | null
  /** Names under which it is recorded. */
  recorded: string[]
}

async function missingMigrations(client: pg.Client, { folder, version }: Release): Promise<Migration[]> {
  const applied = (await hasHistory(client)) ? await appliedMigrations(client) : []
  const names = applied.map(({ name }) => name)
  const known = await migrationFiles(folder)
  refuseNewer(applied, known, version)
  refusePartialSchema(names)
  const missing = await Promise.all(
    known
      .filter(name => !names.includes(name))
      .map(async name => {
        const sql = await readFile(join(folder, name), 'utf8')
        return { name, sql, works_from: WORKS_FROM.exec(sql)?.[1] ?? null, recorded: [name] }
      }),
  )
  const baseline = missing.find(({ name }) => name === BASELINE)
  if (baseline && isFormerSchema(names)) {
    await refuseUnfinished(client)
    baseline.sql = TAKE_OVER
    baseline.works_from = TAKEN_OVER_WORKS_FROM
  }
  return missing
}

const isWanted = (name: string, only: readonly string[] | undefined): boolean =>
  only === undefined || only.includes(name) || (name === BASELINE && isFormerSchema(only))

/** For a backup of 0.1.0, or of a database taken over, the baseline is recorded under the former names as there. */
function recordedAs(migration: Migration, only: readonly string[] = []): Migration {
  const { name } = migration
  if (name !== BASELINE || !isFormerSchema(only)) return migration
  return {
    ...migration,
    works_from: TAKEN_OVER_WORKS_FROM,
    recorded: only.filter(one => one === BASELINE || isFormer(one)),
  }
}

interface Applied {
  name: string
  works_from: string | null
}

/** Throws if a migration that this release does not have excludes it. */
function refuseNewer(applied: readonly Applied[], known: readonly string[], version: string) {
  const excluding = applied.filter(
    ({ name, works_from }) =>
      !known.includes(name) &&
      !isFormer(name) &&
      (works_from === null || isOlderRelease(version, works_from)),
  )
  if (excluding.length === 0) return
  const newest = newestRelease(excluding.flatMap(({ works_from }) => works_from ?? []))
  const names = excluding.map(({ name }) => name).join(', ')
  throw new ConfigurationError([
    {
      found: `The database is newer than this bothy ${version} (${names}).`,
      next: `Either start ${newest ?? 'a newer release'}${newest ? ' or later' : ''}, or restore the backup from before the upgrade.`,
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
  return withPreparingClient(databaseUrl, async client =>
    (await missingMigrations(client, release)).map(({ name, works_from, sql }) => ({
      name,
      works_from,
      is_outside: sql.startsWith(OUTSIDE),
    })),
  )
}

/** Migrations of this list that this program does not have. */
export async function unknownMigrations(names: readonly string[]): Promise<string[]> {
  const known = await migrationFiles(FOLDER)
  return names.filter(name => !known.includes(name) && !isFormer(name))
}

/** Not `create table if not exists`: it requires the right to create tables, which the role of the processes lacks. */
async function createHistory(client: pg.Client) {
  if (await hasHistory(client)) return
  await client.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz not null default now(), works_from text)',
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
async function apply(client: pg.Client, migration: Migration) {
  const { name } = migration
  const isOutside = migration.sql.startsWith(OUTSIDE)
  const attempt = () => (isOutside ? applyOutside(client, migration) : applyWhole(client, migration))
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

async function applyWhole(client: pg.Client, migration: Migration) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_WAIT}`)
    await runUnlimited(client, migration.sql)
    await noteApplied(client, migration)
    await client.query('commit')
  } catch (err) {
    await client.query('rollback').catch(() => {})
    throw err
  }
}

/** An interrupted migration restarts from the beginning, so each of its statements must be repeatable. */
async function applyOutside(client: pg.Client, migration: Migration) {
  for (const statement of migration.sql.split(/;\s*$/m)) {
    if (statement.trim() === '') continue
    // `create index concurrently` does not block writes while it waits.
    const wait = /\bconcurrently\b/i.test(statement) ? 0 : LOCK_WAIT
    await client.query(`set lock_timeout = ${wait}`)
    await runUnlimited(client, statement)
  }
  await noteApplied(client, migration)
}

async function noteApplied(client: pg.Client, { recorded, works_from }: Migration) {
  await client.query(
    `insert into schema_migrations (name, works_from)
     select name, $2::text from unnest($1::text[]) as name`,
    [recorded, works_from],
  )
}

const isLockTimeOut = (err: unknown) => (err as { code?: string }).code === '55P03'

/** Throws while the database lacks a migration of this program, or has one on which it does not run. */
export async function assertSchemaCurrent(db: Queryable) {
  const applied = await appliedMigrations(db)
  const names = applied.map(({ name }) => name)
  const known = await migrationFiles(FOLDER)
  const missing = known.filter(name => !names.includes(name))
  if (missing.length > 0) {
    throw new Error(`The database lacks ${missing.join(', ')}. Run: node infra/tools/migrate.ts`)
  }
  refuseNewer(applied, known, VERSION)
}

interface Queryable {
  query(sql: string): Promise<{ rows: Applied[] }>
}

/** The column `works_from` is missing in a database that was last migrated before 0.1.0 was complete. */
async function appliedMigrations(db: Queryable): Promise<Applied[]> {
  const { rows } = await db.query(
    `select name, to_jsonb(migration) ->> 'works_from' as works_from from schema_migrations migration`,
  )
  return rows
}

async function migrationFiles(folder: string) {
  return (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
}
