import { withDatabase } from '#shared/runtime/database-url.ts'
import { FORMER } from '#shared/stores/baseline.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { prepareDatabase } from '#shared/stores/roles.ts'
import type { TestBacking, TestEnvironment } from './stores.ts'

export interface FormerDatabase {
  env: TestEnvironment
  ownerDatabaseUrl: string
  adminDatabaseUrl: string
  drop(): Promise<void>
}

/** Creates an empty database as bothy 0.1.0 left it, beside that of `backing`: `baseline.test.ts` proves the schema equal. */
export const formerDatabase = (backing: TestBacking): Promise<FormerDatabase> =>
  databaseWith(backing, FORMER, 'former')

/** Creates an empty database that has these migrations alone. */
export async function databaseWith(
  backing: TestBacking,
  migrations: readonly string[],
  suffix: string,
): Promise<FormerDatabase> {
  const name = `${new URL(backing.adminDatabaseUrl).pathname.slice(1)}_${suffix}`
  await backing.admin(`create database ${name}`)
  const adminDatabaseUrl = withDatabase(backing.adminDatabaseUrl, name)
  // Roles belong to the server: their passwords stay.
  const { owner, app } = await prepareDatabase(adminDatabaseUrl, {
    owner: new URL(backing.ownerDatabaseUrl).password,
    app: new URL(backing.env.DATABASE_URL).password,
  })
  await migrate(owner, migrations)
  return {
    env: { ...backing.env, DATABASE_URL: app },
    ownerDatabaseUrl: owner,
    adminDatabaseUrl,
    drop: async () => {
      await backing.admin(`drop database if exists ${name} with (force)`)
    },
  }
}
