import pg from 'pg'
import { createDrillDatabase, drillDatabaseOf } from '#shared/stores/roles.ts'

/** Makes the database in which the janitor proves backups of this one. Returns the function that drops it. */
export async function makeDrillDatabase(adminDatabaseUrl: string): Promise<() => Promise<void>> {
  await createDrillDatabase(adminDatabaseUrl)
  return async () => {
    const server = new URL(adminDatabaseUrl)
    const name = drillDatabaseOf(server.pathname.slice(1))
    server.pathname = '/postgres'
    const admin = new pg.Client(server.href)
    await admin.connect()
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}
