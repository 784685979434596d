import type pg from 'pg'
import { areBackupsProven, isSignUpSafe } from '#shared/domain/checks.ts'
import type { SignupMode } from '#shared/domain/roles.ts'
import { ConfigurationError } from '#shared/runtime/config.ts'
import { DEFAULTS } from '#shared/runtime/settings.ts'
import { unusable, type VariableName } from '#shared/runtime/variables.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { pendingMigrations } from '#shared/stores/migrate.ts'
import { type DatabaseAddress, wrongDatabaseUrl } from '#shared/stores/postgres.ts'
import { withPreparingClient } from '#shared/stores/preparing-client.ts'
import { drillDatabaseOf } from '#shared/stores/roles.ts'
import { whileRunning } from '../environment.ts'
import { type Finding, fault, good, ofFault, skipped, warning, whyNot } from './finding.ts'
import { givenSettings } from './machine.ts'
import { usableValue } from './variables.ts'

const PART = 'database'

/** Major versions of PostgreSQL with which the tests run, and the oldest that has all that the schema needs. */
const TESTED = 17
const OLDEST = 15
/** Seconds. Calls and reminders show the database's time; cookies and logs that of the processes. */
const CLOCK_WARNS = 2
/** Connections of a process: pool, migrations, schedule. */
const PER_PROCESS = 13

/** Where a session is one of the server: the variable, or what `npm start` wrote while it runs. */
export function serverIn(env: NodeJS.ProcessEnv): DatabaseAddress | undefined {
  for (const variable of ['DATABASE_DIRECT_URL', 'DATABASE_URL'] as const)
    if (isGiven(env, variable)) {
      const url = usableValue(env, variable)
      return url === undefined ? undefined : { variable, url }
    }
  const url = whileRunning('database-url')
  return url === undefined ? undefined : { variable: 'DATABASE_URL', url }
}

const isGiven = (env: NodeJS.ProcessEnv, name: VariableName) => Boolean(env[name] || env[`${name}_FILE`])

/** PostgreSQL, its schema, the clock and the backups that it knows of; and each other address of it. */
export async function examineDatabases(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const server = serverIn(env)
  const others = (['DATABASE_URL', 'DATABASE_ADMIN_URL'] as const).flatMap(variable => {
    const url = isGiven(env, variable) ? usableValue(env, variable) : undefined
    return url === undefined || variable === server?.variable ? [] : { variable, url }
  })
  const findings = [server ? examineServer(server) : [without(env)], ...others.map(examineOther)]
  return (await Promise.all(findings)).flat()
}

const without = (env: NodeJS.ProcessEnv): Finding =>
  isGiven(env, 'DATABASE_URL') || isGiven(env, 'DATABASE_DIRECT_URL')
    ? skipped(PART, 'its address is not usable')
    : fault(PART, 'DATABASE_URL is not set, and npm start does not run here', 'Start bothy, or set it.')

async function examineServer(address: DatabaseAddress): Promise<Finding[]> {
  try {
    return [
      ...(await withPreparingClient(address.url, async client => [
        await version(client),
        ...(await safety(client)),
        await connections(client),
        await clock(client),
        await backups(client),
        ...(await drills(client)),
        ...(await signUp(client)),
      ])),
      await migrations(address.url),
    ]
  } catch (err) {
    return [unreachable(address, err)]
  }
}

/** A pooler, or the role that restores. */
async function examineOther(address: DatabaseAddress): Promise<Finding[]> {
  try {
    return await withPreparingClient(address.url, async client => {
      const { rows } = await client.query<{ may: boolean }>(
        'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
      )
      if (address.variable !== 'DATABASE_ADMIN_URL') return [good(PART, `${address.variable} is usable`)]
      if (rows[0]?.may) return [good('restores', 'the role of DATABASE_ADMIN_URL may create databases')]
      const next = 'Name a role that may: alter role … createdb.'
      const reason = 'the role may not create databases, so that no backup can be restored'
      return [ofFault('restores', 'warning')(unusable(address.variable, address.url, reason, next))]
    })
  } catch (err) {
    return [unreachable(address, err)]
  }
}

const unreachable = ({ variable, url }: DatabaseAddress, err: unknown): Finding =>
  ofFault(PART)(
    wrongDatabaseUrl(err, { variable, url }) ??
      unusable(
        variable,
        url,
        `PostgreSQL cannot be used: ${whyNot(err)}`,
        `Correct ${variable}, or start PostgreSQL; its log and the disk that it uses (df) say why it is away.`,
      ),
  )

/** The path of the newest backup of this database; undefined for none, and for a database that is away. */
export async function newestBackup(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const server = serverIn(env)
  if (server === undefined) return undefined
  return withPreparingClient(server.url, async client => {
    const { rows } = await client.query<{ path: string }>(
      'select path from backups where ok and path is not null order by done_ts desc limit 1',
    )
    return rows[0]?.path
  })
}

async function version(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as number`,
  )
  const { version, number } = rows[0]!
  const found = `PostgreSQL ${version}`
  if (number < OLDEST)
    return fault(
      'database',
      found,
      `Move to PostgreSQL ${TESTED} with a backup and a restore (docs/operations.md, 6).`,
    )
  if (number !== TESTED)
    return warning('database', found, `Our tests run with PostgreSQL ${TESTED}: prefer that.`)
  return good('database', found)
}

async function safety(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Record<'fsync' | 'pages' | 'checksums', string>>(
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
            current_setting('data_checksums') as checksums`,
  )
  const { fsync, pages, checksums } = rows[0]!
  const writes =
    fsync === 'on' && pages === 'on'
      ? good('durability', 'fsync and full_page_writes are on')
      : fault(
          'durability',
          `fsync is ${fsync}, full_page_writes is ${pages}: a power cut may destroy the database`,
          'Set both to on in postgresql.conf and restart PostgreSQL.',
        )
  const sums =
    checksums === 'on'
      ? good('checksums', 'pages of the database have checksums')
      : warning(
          'checksums',
          'pages of the database have no checksums: a damaged disk stays unnoticed until the nightly proof of a backup',
          'Stop PostgreSQL and run pg_checksums --enable, or restore a backup into a database made with --data-checksums.',
        )
  return [writes, sums]
}

async function connections(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ most: number; used: number; processes: number }>(
    `select current_setting('max_connections')::int as most, (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
            (select count(distinct application_name)::int from pg_stat_activity where application_name like 'bothy %') as processes`,
  )
  const { most, used } = rows[0]!
  const found = `${used} of ${most} connections of PostgreSQL are used`
  if (used + PER_PROCESS > most)
    return fault(
      'connections',
      found,
      'Raise max_connections, or run fewer processes: another one cannot start.',
    )
  if (used > most * 0.8)
    return warning('connections', found, 'Raise max_connections before you add processes.')
  return good('connections', found)
}

async function clock(client: pg.Client): Promise<Finding> {
  const asked = Date.now()
  const { rows } = await client.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::double precision as now',
  )
  const ours = (asked + Date.now()) / 2000
  const apart = Math.abs(rows[0]!.now - ours)
  const found = `this clock and that of the database are ${apart.toFixed(1)} s apart`
  if (apart > CLOCK_WARNS)
    return warning('clock', found, 'Let both machines follow a time server (timedatectl set-ntp true).')
  return good('clock', found)
}

async function backups(client: pg.Client): Promise<Finding> {
  const part = 'backup'
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('backups') is not null and to_regclass('backup_target') is not null as there`,
  )
  if (!tables[0]!.there) return warning(part, 'this schema is from before backups', 'Upgrade.')
  const { rows } = await client.query<{ ago: number | null; problem: string | null }>(
    `select (extract(epoch from clock_timestamp()) - max(verified_ts))::float8 as ago, (select problem from backup_target) as problem
       from backups where ok`,
  )
  const { ago, problem } = rows[0]!
  const next =
    'Make and prove one: npm run admin -- backup, then npm run admin -- verify <backup> --drill. Set BACKUP_DIR for one each night.'
  const found =
    ago === null
      ? 'no nightly backup was proven by a restore yet'
      : `restore last proven ${Math.floor(ago / 3600)} h ago`
  if (areBackupsProven(ago ?? undefined, problem)) return good(part, found)
  return warning(part, problem === null ? found : `${found}; ${problem}`, next)
}

/** Without the database for drills, or the right to make it, no backup is proven. */
async function drills(client: pg.Client): Promise<Finding[]> {
  const part = 'drills'
  const { rows } = await client.query<{ database: string; role: string; may: boolean; has: boolean }>(
    `select current_database() as database, current_user as role, rolcreatedb or rolsuper as may,
            exists (select from pg_database where datname = current_database() || $1
                      and pg_has_role(datdba, 'member')) as has
       from pg_roles where rolname = current_user`,
    [drillDatabaseOf('')],
  )
  const { database, role, may, has } = rows[0]!
  if (has || may) return [good(part, 'a restore of each backup can be tried')]
  const name = drillDatabaseOf(database)
  return [
    warning(
      part,
      `there is no database ${name} of the role ${role}, which may not create one: no backup can be proven`,
      `As a superuser of PostgreSQL: create database ${name} owner ${role} template template0`,
    ),
  ]
}

/** Sign-up may be open in an office; at a public name, strangers find it. */
async function signUp(client: pg.Client): Promise<Finding[]> {
  const part = 'sign-up'
  const address = usableValue(process.env, 'PUBLIC_URL')
  const mode = await signUpMode(client)
  if (mode !== 'open') return [good(part, `is not open to everybody (${mode})`)]
  if (address === undefined || isSignUpSafe(mode, address.hostname))
    return [good(part, 'is open to everybody who reaches this server')]
  return [
    warning(
      part,
      `is open to everybody on the internet who finds ${address.origin}`,
      'Administration, Settings, “Who gets an account”: people with an invitation, or after approval.',
    ),
  ]
}

/** The choice of an administrator goes before settings.json, unless the file locks it (shared/stores/workspace-settings.ts). */
async function signUpMode(client: pg.Client): Promise<SignupMode> {
  const given = givenSettings(process.env)
  const isLocked = given?.locked_settings?.includes('signup_mode') === true
  return (isLocked ? undefined : await chosenSignUp(client)) ?? given?.signup_mode ?? DEFAULTS.signup_mode
}

async function chosenSignUp(client: pg.Client): Promise<SignupMode | undefined> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('workspace_settings') is not null as there`,
  )
  if (!tables[0]!.there) return undefined
  const { rows } = await client.query<{ mode: SignupMode }>(
    `select value as mode from workspace_settings where key = 'signup_mode'`,
  )
  return rows[0]?.mode
}

async function migrations(url: string): Promise<Finding> {
  try {
    const pending = await pendingMigrations(url)
    if (pending.length === 0) return good('schema', `is that of bothy ${VERSION}`)
    const names = pending.map(({ name }) => name).join(', ')
    return warning(
      'schema',
      `${pending.length} migrations are pending: ${names}`,
      'Upgrade (docs/operations.md, 6).',
    )
  } catch (err) {
    if (err instanceof ConfigurationError) return err.details.map(ofFault('schema'))[0]!
    return fault(
      'schema',
      `cannot be read: ${whyNot(err)}`,
      'Run doctor again when the machine is less busy; else look at the log of PostgreSQL.',
    )
  }
}
