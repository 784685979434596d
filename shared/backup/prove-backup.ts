import type pg from 'pg'
import type { Seconds } from '#shared/domain/units.ts'
import { databaseOf, withDatabase } from '#shared/runtime/database-url.ts'
import { refusePartialBackup } from '#shared/stores/baseline.ts'
import { migrate, unknownMigrations } from '#shared/stores/migrate.ts'
import { drillDatabaseOf } from '#shared/stores/roles.ts'
import { takeBackupLock, withConnection } from './connection.ts'
import { compareNewest, type Loaded, loadBackup } from './load.ts'
import { BackupRuns } from './make-backup.ts'
import { type OpenBackup, requireKey, type Verified, verifyBackup } from './read-backup.ts'
import { createDatabase, dropDatabase } from './restore-backup.ts'

export interface Proof extends Verified, Loaded {
  migrated: string[]
  /** Migrations of the backup that this program does not have: a restore needs the release that has them. */
  newer: string[]
  /** Without reading the checksums of the files. */
  seconds_to_restore: Seconds
}

/**
 * Proves that a backup can be restored: reads every byte, loads it into the database for drills, compares all rows and the
 * newest messages with the manifest, migrates it up, and empties the database again.
 */
export async function proveBackup(
  databaseUrl: string,
  backup: OpenBackup,
  signal?: AbortSignal,
): Promise<Proof> {
  requireKey(backup)
  refusePartialBackup(backup.manifest.migrations)
  const newer = await unknownMigrations(backup.manifest.migrations)
  return withDrillDatabase(databaseUrl, async url => {
    const verified = await verifyBackup(backup, signal)
    const began = performance.now()
    const loaded = await loadBackup(url, backup, { signal, isNewer: newer.length > 0 })
    const migrated = await migrate(url)
    await compareNewest(url, backup)
    const seconds_to_restore = (performance.now() - began) / 1000
    return { ...verified, ...loaded, migrated, newer, seconds_to_restore }
  })
}

/** Uses the database made for drills (stores/roles.ts), or one made and dropped here by a role that may. */
async function withDrillDatabase<T>(databaseUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = drillDatabaseOf(databaseOf(databaseUrl))
  const url = withDatabase(databaseUrl, name)
  return withConnection(databaseUrl, async client => {
    if (!(await takeBackupLock(client))) throw new BackupRuns()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    const isOurs = rowCount === 0
    if (isOurs) await createDrill(client, name)
    try {
      await withConnection(url, emptyDatabase)
      return await work(url)
    } finally {
      if (isOurs) await dropDatabase(client, name).catch(() => {})
      else await withConnection(url, emptyDatabase).catch(() => {})
    }
  })
}

async function createDrill(client: pg.Client, name: string) {
  try {
    await createDatabase(client, name)
  } catch (err) {
    throw new Error(
      `There is no database to prove backups in. Make one: create database "${name}" owner "${client.user}".`,
      { cause: err },
    )
  }
}

const emptyDatabase = (client: pg.Client) =>
  client.query('drop schema public cascade; create schema public authorization pg_database_owner')
