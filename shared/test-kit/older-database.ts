import { withDatabase } from '#shared/runtime/database-url.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { prepareDatabase } from '#shared/stores/roles.ts'
import type { TestBacking, TestEnvironment } from './stores.ts'

export interface OlderDatabase {
  env: TestEnvironment
  ownerDatabaseUrl: string
  adminDatabaseUrl: string
  drop(): Promise<void>
}

/** Creates an empty database with the schema of an earlier version, beside that of `backing`; `upTo`: its last migration. */
export async function olderDatabase(backing: TestBacking, upTo: string): Promise<OlderDatabase> {
  const name = `${new URL(backing.adminDatabaseUrl).pathname.slice(1)}_older`
  await backing.admin(`create database ${name}`)
  const adminDatabaseUrl = withDatabase(backing.adminDatabaseUrl, name)
  // Roles belong to the server: their passwords stay.
  const { owner, app } = await prepareDatabase(adminDatabaseUrl, {
    owner: new URL(backing.ownerDatabaseUrl).password,
    app: new URL(backing.env.DATABASE_URL).password,
  })
  await migrate(owner, upTo)
  return {
    env: { ...backing.env, DATABASE_URL: app },
    ownerDatabaseUrl: owner,
    adminDatabaseUrl,
    drop: async () => {
      await backing.admin(`drop database if exists ${name} with (force)`)
    },
  }
}
