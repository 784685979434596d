import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { besides, databaseOf, withDatabase, withRole } from '#shared/runtime/database-url.ts'
import { runUnlimited, withPreparingClient } from './preparing-client.ts'

/** Owns the schema and applies migrations. */
const OWNER = 'bothy_owner'
/** The role of the processes: reads and writes rows, but changes no tables. */
const APP = 'bothy_app'

export interface RolePasswords {
  owner: string
  app: string
}

export interface RoleUrls {
  owner: string
  app: string
}

/** Running processes may hold locks: a statement leaves the lock queue after a second and is repeated. */
const LOCK_TIMEOUT = '1s'
const TRIES = 60
const TRY_AGAIN: Milliseconds = 500

/**
 * Prepares the database of `adminUrl`, whose role must be a superuser: creates both roles, makes the first the owner of
 * all objects, grants the second its rights, and enables the trigram index for all scripts. Idempotent, for every
 * start. Returns the URLs of both roles.
 */
export async function prepareDatabase(adminUrl: string, passwords: RolePasswords): Promise<RoleUrls> {
  await createRoles(adminUrl, passwords)
  await withPreparingClient(adminUrl, async client => {
    await giveTables(client)
    await knowEveryScript(client)
  })
  // A changed LC_CTYPE applies to new connections.
  await withPreparingClient(adminUrl, rebuildTrigramIndexes)
  return roleUrls(adminUrl, passwords)
}

/**
 * Prepares a new database of a server whose roles exist: called before its tables are made, so that indexes know all
 * scripts, and afterwards, so that the roles own and use them. A role that is no superuser keeps what it makes.
 */
export async function handOverDatabase(adminUrl: string): Promise<void> {
  const done = await withPreparingClient(adminUrl, async client => {
    const { rows } = await client.query<{ ready: boolean }>(
      `select rolsuper and (select count(*) from pg_roles where rolname in ('${OWNER}', '${APP}')) = 2 as ready
         from pg_roles where rolname = current_user`,
    )
    if (!rows[0]!.ready) return false
    await giveTables(client)
    await knowEveryScript(client)
    return true
  })
  if (done) await withPreparingClient(adminUrl, rebuildTrigramIndexes)
}

/**
 * Creates the database in which the janitor proves backups, empty and owned by the role of the processes, which may not
 * create databases.
 */
export async function createDrillDatabase(adminUrl: string): Promise<void> {
  const database = databaseOf(adminUrl)
  await withPreparingClient(besides(adminUrl), async client => {
    await client.query(`select pg_advisory_lock(hashtext('bothy drill'))`)
    const name = drillDatabaseOf(database)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)} owner ${APP} template template0`)
  })
}

export const drillDatabaseOf = (database: string): string => `${database}_drill`

/** The URLs of both roles in the database of `adminUrl`. */
export function roleUrls(adminUrl: string, passwords: RolePasswords): RoleUrls {
  return { owner: withRole(adminUrl, OWNER, passwords.owner), app: withRole(adminUrl, APP, passwords.app) }
}

/** Roles belong to the server, so the lock is taken in a database that all clients share. */
async function createRoles(adminUrl: string, passwords: RolePasswords) {
  await withPreparingClient(withDatabase(adminUrl, 'postgres'), async client => {
    await client.query(`select pg_advisory_lock(hashtext('bothy roles'))`)
    for (const [role, password] of [
      [OWNER, passwords.owner],
      [APP, passwords.app],
    ] as const) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
      const verb = rowCount ? 'alter' : 'create'
      const secret = client.escapeLiteral(password)
      await client.query(`${verb} role ${role} login nosuperuser nocreatedb nocreaterole password ${secret}`)
    }
  })
}

async function giveTables(client: pg.Client) {
  const { rows } = await client.query<{ name: string; tables: string }>(
    `select current_database() as name, to_regclass('schema_migrations') as tables`,
  )
  const database = client.escapeIdentifier(rows[0]!.name)
  await patiently(client, `alter database ${database} owner to ${OWNER}`)
  // pg-boss creates its own schema.
  await patiently(client, `grant connect, create, temporary on database ${database} to ${APP}`)
  await patiently(client, `alter schema public owner to ${OWNER}`)
  for (const statement of await ownershipChanges(client)) await patiently(client, statement)
  await patiently(
    client,
    `grant usage on schema public to ${APP};
     grant select, insert, update, delete, truncate on all tables in schema public to ${APP};
     grant usage, select on all sequences in schema public to ${APP};
     alter default privileges for role ${OWNER} in schema public
       grant select, insert, update, delete, truncate on tables to ${APP};
     alter default privileges for role ${OWNER} in schema public
       grant usage, select on sequences to ${APP}`,
  )
}

/** Objects from installations with a single role; those of extensions stay with the superuser. */
async function ownershipChanges(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `with wanted (schema, role) as (values ('public', '${OWNER}'), ('pgboss', '${APP}')),
     object as (
       select 'pg_class'::regclass as catalog, oid, relnamespace as namespace, relowner as owner,
              case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end
                as kind, oid::regclass::text as name
         from pg_class
        where relkind in ('r', 'p', 'v', 'm', 'S')
          -- The sequence of an identity column follows its table.
          and not exists (select from pg_depend
                           where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('i', 'a'))
       union all
       select 'pg_proc'::regclass, oid, pronamespace, proowner,
              case prokind when 'p' then 'procedure' else 'function' end, oid::regprocedure::text
         from pg_proc
       union all
       select 'pg_type'::regclass, oid, typnamespace, typowner, 'type', oid::regtype::text
         from pg_type
        where typtype in ('e', 'd')
       union all
       select 'pg_namespace'::regclass, oid, oid, nspowner, 'schema', quote_ident(nspname)
         from pg_namespace
        where nspname = 'pgboss')
     select format('alter %s %s owner to %I', kind, name, role) as statement
       from object
       join pg_namespace on pg_namespace.oid = object.namespace
       join wanted on wanted.schema = nspname
      where owner <> role::regrole
        and not exists (select from pg_depend
                         where classid = object.catalog and objid = object.oid and deptype = 'e')`,
  )
  return rows.map(row => row.statement)
}

/** Retries with a short lock time-out, so that other statements do not queue behind a waiting one. */
async function patiently(client: pg.Client, statement: string) {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(statement)
      return
    } catch (err) {
      if ((err as { code?: string }).code !== '55P03' || attempt === TRIES) throw err
      await pause(TRY_AGAIN)
    }
  }
}

/** Database comment that marks pending rebuilds of trigram indexes, so that they survive an interruption. */
const PENDING = 'bothy: trigram indexes to be rebuilt'

/**
 * pg_trgm classifies letters by the C library's LC_CTYPE, and `C` has only ASCII letters: a search in Cyrillic or
 * Japanese then scans the table. The default collation is the builtin C.UTF-8, so nothing else depends on this locale
 * and it may be changed in place.
 */
async function knowEveryScript(client: pg.Client) {
  const { rows } = await client.query<{ name: string; ctype: string; provider: string }>(
    `select datname as name, datctype as ctype, datlocprovider as provider
       from pg_database where datname = current_database()`,
  )
  const { name, ctype, provider } = rows[0]!
  if (!isAsciiOnly(ctype) || provider !== 'b') return
  await client.query('begin')
  await client.query(`update pg_database set datctype = 'C.UTF-8' where datname = $1`, [name])
  await client.query(`comment on database ${client.escapeIdentifier(name)} is '${PENDING}'`)
  await client.query('commit')
}

/** True if trigrams with this LC_CTYPE contain ASCII letters only. */
export const isAsciiOnly = (ctype: string): boolean => ctype === 'C' || ctype === 'POSIX'

async function rebuildTrigramIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string; comment: string | null }>(
    `select datname as name, shobj_description(oid, 'pg_database') as comment
       from pg_database where datname = current_database()`,
  )
  const { name, comment } = rows[0]!
  if (comment !== PENDING) return
  const { rows: indexes } = await client.query<{ index: string }>(
    `select distinct indexrelid::regclass::text as index
       from pg_index
       join pg_opclass on pg_opclass.oid = any(pg_index.indclass)
      where opcname in ('gin_trgm_ops', 'gist_trgm_ops')`,
  )
  for (const { index } of indexes) await runUnlimited(client, `reindex index concurrently ${index}`)
  await client.query(`comment on database ${client.escapeIdentifier(name)} is null`)
}
