import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { besides, databaseOf, withDatabase } from '#shared/runtime/database-url.ts'
import { messageWithoutValues } from '#shared/runtime/log.ts'
import { refusePartialBackup } from '#shared/stores/baseline.ts'
import { openFileStore } from '#shared/stores/files.ts'
import { migrate, unknownMigrations } from '#shared/stores/migrate.ts'
import { handOverDatabase } from '#shared/stores/roles.ts'
import { quoted, withConnection } from './connection.ts'
import { filesOf, labelOf } from './file-pool.ts'
import { folderNameOf } from './layout.ts'
import { compareNewest, loadBackup } from './load.ts'
import { copyOut } from './parts.ts'
import { checkParts, type OpenBackup, requireKey } from './read-backup.ts'

export interface Restored {
  database: string
  tables: number
  rows: number
  files: { copied: number; there: number }
  /** Migrations after those of the backup. */
  migrated: string[]
  /** The name that the former database has now; null if there was none. */
  kept: string | null
  seconds: Seconds
  /** Downtime of the database. */
  outage_seconds: Seconds
}

export interface RestoreTarget {
  /** For a role that may create databases, usually the superuser of the server. */
  databaseUrl: string
  filesUrl: string
  /** Takes the place of a database that has tables, or that processes use. */
  replace: boolean
  /** Leaves the schema as the backup has it: for processes of an older release, on whose way back it is. */
  withoutMigrations?: boolean
  /** Called once the former database takes no connections, before the restored one gets its name. */
  whileAway?: () => Promise<void>
}

/** A heartbeat is younger than this while its process lives (shared/service-start). */
const ALIVE_WITHIN: Seconds = 15
/** Longest wait of the renaming for the end of a connection. */
const ENDS_WITHIN: Milliseconds = 5_000
/** The longest name of a database. */
const LONGEST_NAME = 63

/**
 * Checks a backup, restores it into a new database beside the one of `databaseUrl`, compares it with the manifest, migrates
 * it up, copies the files, and then gives it the name. Until then nothing has changed for those who use the server; a fault
 * or a kill before leaves the former database in place. Processes that run are without a database for the renaming, and go
 * on with the restored one (shared/stores/database-identity.ts).
 */
export async function restoreBackup(backup: OpenBackup, target: RestoreTarget): Promise<Restored> {
  const began = performance.now()
  requireKey(backup)
  refusePartialBackup(backup.manifest.migrations)
  const unknown = await unknownMigrations(backup.manifest.migrations)
  if (unknown.length > 0)
    throw new Error(
      `This bothy lacks migrations of the backup (${unknown.join(', ')}): restore it with the release that has them.`,
    )
  const database = databaseOf(target.databaseUrl)
  const former = await formerDatabase(target, database)
  if (!target.replace) refuse(former, database)
  await checkParts(backup)

  const fresh = `${database.slice(0, LONGEST_NAME - 14)}_new_${randomBytes(4).toString('hex')}`
  const server = besides(target.databaseUrl)
  await withConnection(server, client => createDatabase(client, fresh))
  try {
    const url = withDatabase(target.databaseUrl, fresh)
    await handOverDatabase(url)
    const loaded = await loadBackup(url, backup)
    const migrated = target.withoutMigrations ? [] : await migrate(url)
    await compareNewest(url, backup)
    await withConnection(url, forgetStarts)
    await handOverDatabase(url)
    const files = await restoreFiles(backup, target.filesUrl)
    const swapped = await swap(target, { database, fresh, exists: former.exists })
    if (swapped.kept !== null) files.copied += await copyAgain(backup, target.filesUrl)
    const seconds = (performance.now() - began) / 1000
    return { database, ...loaded, files, migrated, ...swapped, seconds }
  } catch (err) {
    await withConnection(server, client => dropDatabase(client, fresh)).catch(() => {})
    throw err
  }
}

interface Former {
  exists: boolean
  tables: number
  /** Processes of bothy that use it. */
  alive: number
}

async function formerDatabase({ databaseUrl }: RestoreTarget, database: string): Promise<Former> {
  const exists = await withConnection(besides(databaseUrl), async client => {
    const { rows } = await client.query<{ admits: boolean }>(
      'select datallowconn as admits from pg_database where datname = $1',
      [database],
    )
    // Left by a restore that was killed while it gave the name.
    if (rows[0]?.admits === false) await admit(client, database)
    return rows.length > 0
  })
  if (!exists) return { exists, tables: 0, alive: 0 }
  return withConnection(databaseUrl, async client => {
    const { rows } = await client.query<{ tables: number; beats: boolean }>(
      `select count(*)::int as tables, to_regclass('public.replicas') is not null as beats
         from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    const { tables, beats } = rows[0]!
    return { exists, tables, alive: beats ? await livingProcesses(client) : 0 }
  })
}

async function livingProcesses(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ alive: number }>(
    `select count(*)::int as alive
       from replicas where beat_ts > extract(epoch from clock_timestamp()) - $1::double precision`,
    [ALIVE_WITHIN],
  )
  return rows[0]!.alive
}

function refuse({ tables, alive }: Former, database: string) {
  if (alive > 0)
    throw new Error(
      `${alive} ${alive === 1 ? 'process uses' : 'processes use'} the database ${database}. Stop them first, or say --replace: what was written since the backup is then lost to those who work in it.`,
    )
  if (tables > 0)
    throw new Error(
      `The database ${database} has ${tables} tables. Say --replace to put the backup in its place; it is kept under another name.`,
    )
}

/** As the cluster was made; see docs/adr/0010. */
export async function createDatabase(client: pg.Client, name: string) {
  try {
    await client.query(`create database ${quoted(name)} template template0`)
  } catch (err) {
    if ((err as { code?: string }).code !== '42501') throw err
    throw new Error(
      'The role of the database may not create databases. Say the address of one that may in DATABASE_ADMIN_URL or DATABASE_ADMIN_URL_FILE, or after --into.',
      { cause: err },
    )
  }
}

export const dropDatabase = (client: pg.Client, name: string) =>
  client.query(`drop database if exists ${quoted(name)} with (force)`)

/** Processes that go on with the database find no start of the service in it, and do its resets (shared/service-start). */
async function forgetStarts(client: pg.Client) {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.service_epochs') is not null as found`,
  )
  if (rows[0]!.found) await client.query('truncate public.service_epochs')
}

/**
 * Copies the files before the database is swapped, so that each is there when its message is. A name never changes its
 * bytes: a file that is there with the right size stays.
 */
async function restoreFiles(backup: OpenBackup, filesUrl: string): Promise<Restored['files']> {
  const store = await openFileStore(filesUrl)
  const done = { copied: 0, there: 0 }
  for await (const { name, size, part } of filesOf(backup)) {
    if ((await store.size(name)) === size) {
      done.there++
      continue
    }
    const path = join(store.incoming, randomUUID())
    try {
      await copyOut(backup.place, part, path, labelOf(name), backup.key)
      await store.keep(path, name)
    } catch (err) {
      await rm(path, { force: true })
      throw err
    }
    done.copied++
  }
  return done
}

/** Restores files that were removed while people used the former database; returns their number. */
async function copyAgain(backup: OpenBackup, filesUrl: string): Promise<number> {
  try {
    return (await restoreFiles(backup, filesUrl)).copied
  } catch (err) {
    throw new Error(
      `The database is restored, but not all files: ${messageWithoutValues(err)} Restore the backup once more.`,
      { cause: err },
    )
  }
}

interface Swap {
  database: string
  fresh: string
  exists: boolean
}

/** Renames both databases while nobody can connect. The former one stays, under a name with the time. */
async function swap(
  { databaseUrl, whileAway }: RestoreTarget,
  { database, fresh, exists }: Swap,
): Promise<Pick<Restored, 'kept' | 'outage_seconds'>> {
  const server = besides(databaseUrl)
  if (!exists) {
    await withConnection(server, client => rename(client, fresh, database))
    return { kept: null, outage_seconds: 0 }
  }
  const suffix = `_before_${folderNameOf(Date.now() / 1000).replace(/\D/g, '')}`
  const kept = `${database.slice(0, LONGEST_NAME - suffix.length)}${suffix}`
  let began = 0
  await withConnection(server, async client => {
    try {
      await withConnection(withDatabase(databaseUrl, fresh), next =>
        withConnection(databaseUrl, async last => {
          const pid = await pidOf(last)
          began = performance.now()
          await shutOff(client, database, pid)
          await skipIds(next, await highestIds(last))
        }),
      )
      await shutOff(client, fresh)
      await whileAway?.()
      await rename(client, database, kept)
      try {
        await rename(client, fresh, database)
      } catch (err) {
        await rename(client, kept, database)
        throw err
      }
      await admit(client, kept)
    } finally {
      await admit(client, database)
    }
  })
  return { kept, outage_seconds: (performance.now() - began) / 1000 }
}

/** Ends the connections to a database but `spared`, and refuses new ones. */
async function shutOff(client: pg.Client, database: string, spared = 0) {
  await client.query(`alter database ${quoted(database)} allow_connections false`)
  // All at once; then each is waited for.
  for (const end of ['pg_terminate_backend(pid)', `pg_terminate_backend(pid, ${ENDS_WITHIN})`])
    await client.query(`select ${end} from pg_stat_activity where datname = $1 and pid <> $2`, [
      database,
      spared,
    ])
}

const admit = (client: pg.Client, database: string) =>
  client.query(`alter database ${quoted(database)} allow_connections true`)

const rename = (client: pg.Client, from: string, to: string) =>
  client.query(`alter database ${quoted(from)} rename to ${quoted(to)}`)

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

interface LastId {
  name: string
  value: number
}

async function highestIds(client: pg.Client): Promise<LastId[]> {
  const { rows } = await client.query<LastId>(
    `select sequencename as name, last_value::double precision as value
       from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  return rows
}

/** Ids given after the backup stay unused: clients may still show what they named. */
async function skipIds(client: pg.Client, ids: readonly LastId[]) {
  await client.query(
    `select setval(sequence, greatest(value, (select coalesce(last_value, 0) from pg_sequences
                                               where schemaname = 'public' and sequencename = name))::bigint)
       from unnest($1::text[], $2::double precision[]) as id (name, value)
      cross join lateral (select to_regclass('public.' || quote_ident(name)) as sequence) found
      where sequence is not null`,
    [ids.map(({ name }) => name), ids.map(({ value }) => value)],
  )
}
