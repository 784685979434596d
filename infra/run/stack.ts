import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { makeClaimCode } from '#shared/ownership/claim-codes.ts'
import { backupFolderIn, ConfigurationError, ROOT, readHost } from '#shared/runtime/config.ts'
import { listenFault } from '#shared/runtime/listen-fault.ts'
import { officeHost } from '#shared/runtime/office-host.ts'
import { type Release, upgradeFiles } from '#shared/runtime/upgrade-protocol.ts'
import { upgradeReminder } from '#shared/runtime/upgraded-to.ts'
import { reasonOf, unusable, variableText } from '#shared/runtime/variables.ts'
import { writeWhole } from '#shared/runtime/whole-file.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { openPool, wrongDatabaseUrl } from '#shared/stores/postgres.ts'
import { type BackingServices, openBackingServices } from '../dev-stores/backing-services.ts'
import { storesFolder } from '../dev-stores/stores-folder.ts'
import { environmentOf, nodeArgsOf } from '../processes/children.ts'
import { DATA } from '../processes/data-folder.ts'
import { fail } from '../processes/fail.ts'
import { worksIn } from '../processes/leftover-process.ts'
import { buildClient } from './build-client.ts'
import { checkConfiguration } from './check-configuration.ts'
import { commitOfClone } from './commit-of-clone.ts'
import { Fleet } from './fleet.ts'
import { type FrontDoor, openFrontDoor } from './front-door.ts'
import { httpsHint } from './https-hint.ts'
import { openMetricsPorts } from './metrics-ports.ts'
import { Service } from './supervisor.ts'
import { endWithParent, reportAndExit } from './terminal.ts'
import { UpgradeSteps } from './upgrade-steps.ts'

const SERVICES = ['janitor', 'api', 'events', 'previews', 'previews-pictures', 'stun']
const DEFAULT_PORT = 3000
const LOGS = join(DATA, 'logs')
const RUNNING = join(DATA, 'running')
const DATABASE_URL_FILE = join(DATA, 'database-url')
const ADMIN_URL_FILE = join(DATA, 'database-admin-url')
const REDIS_URL_FILE = join(DATA, 'redis-url')
const ADDRESS_FILE = join(DATA, 'address')
/** Where the front door listens: links that the operator's commands print. */
const DOOR_FILE = join(DATA, 'front-door-host')
/** Time until the screen says which service is not ready, ms. */
const PATIENCE = 60_000

let backing: BackingServices | undefined
let fleet: Fleet | undefined
/** The public one first; behind Vite's dev server there is a second one. */
const doors: FrontDoor[] = []
let closeMetricsPorts = async () => {}
let claimed = false

/** Starts stores, schema, client, services and front door; Ctrl-C stops them all. */
export async function startEverything({ watch = false } = {}): Promise<void> {
  endWithParent(stopEverything)
  try {
    await start(watch)
  } catch (err) {
    const isFull = (err as NodeJS.ErrnoException).code === 'ENOSPC'
    await reportAndExit(
      isFull ? new Error(`The disk of ${DATA} is full: make room, then start again.`, { cause: err }) : err,
    )
  }
}

async function start(watch: boolean) {
  await checkConfiguration(process.env)
  claimClone()
  const say = (line: string) => console.log(line)
  const [stores] = await Promise.all([openBackingServices({ say }), watch ? undefined : buildClient(say)])
  backing = stores
  await migrate(stores.ownerDatabaseUrl).catch(err => {
    throw unusableDatabase(err) ?? err
  })
  // For the operator's tools: port and address change with every start.
  writeWhole(DATABASE_URL_FILE, `${stores.databaseUrl}\n`, { mode: 0o600 })
  writeWhole(ADMIN_URL_FILE, `${stores.adminDatabaseUrl}\n`, { mode: 0o600 })
  writeWhole(REDIS_URL_FILE, `${stores.redisUrl}\n`, { mode: 0o600 })

  // Files of the services (above all uploads) are private to this account.
  process.umask(0o077)
  const trustProxy = Number(process.env.TRUST_PROXY) || 0
  const env = {
    BOTHY_COMMIT: commitOfClone(),
    // Each run is a new start of the service, regardless of how the last one ended.
    STACK_ID: randomUUID(),
    FILES_URL: pathToFileURL(join(DATA, 'files')).href,
    SESSION_SECRET_FILE: join(DATA, 'session-secret'),
    // Empty: none are made at night.
    BACKUP_DIR: backupFolderIn(DATA),
    // For the metrics of the janitor, which cannot know them.
    BOTHY_DISKS: JSON.stringify({
      logs: LOGS,
      ...(process.env.DATABASE_URL ? {} : { database: join(storesFolder(), 'postgres') }),
      ...(process.env.REDIS_URL ? {} : { redis: join(storesFolder(), 'redis') }),
    }),
    // Password hashes, files and name look-ups share these threads.
    UV_THREADPOOL_SIZE: '8',
    ...process.env,
    // Processes of another release use those of this clone as well.
    SETTINGS_FILE: resolve(ROOT, process.env.SETTINGS_FILE || 'settings.json'),
    DATABASE_URL: stores.databaseUrl,
    DATABASE_DIRECT_URL: stores.directDatabaseUrl,
    REDIS_URL: stores.redisUrl,
    PREVIEWS_REDIS_URL: stores.redisUrls?.previews,
    THUMBNAILS_REDIS_URL: stores.redisUrls?.thumbnails,
    FRONT_DOOR_HOST: readHost() ?? '0.0.0.0',
    PUBLISHED_PORT: String(wantedPort() || DEFAULT_PORT),
    // Only the front door listens on the network; it counts as one more trusted proxy.
    LISTEN_HOST: '127.0.0.1',
    TRUST_PROXY: String(trustProxy + 1),
  }
  const watching = watch ? ['--watch', '--watch-preserve-output'] : []
  const firstMetricsPort = Number(process.env.METRICS_PORT)
  // Before the services start: a port that is taken ends the start.
  if (firstMetricsPort > 0)
    closeMetricsPorts = await openMetricsPorts(
      firstMetricsPort,
      SERVICES,
      wanted => fleet?.services.find(({ name }) => name === wanted)?.metricsPort,
    )
  const release: Release = { root: ROOT, commit: env.BOTHY_COMMIT }
  const startOne = (name: string, wanted: Release) => {
    const own = { ...env, BOTHY_COMMIT: wanted.commit }
    return new Service({
      name,
      root: wanted.root,
      env: environmentOf(name, own),
      logs: LOGS,
      say,
      // Node does not watch files under the permission model.
      nodeArgs: watch ? watching : nodeArgsOf(name, own, wanted.root),
      hasMetrics: firstMetricsPort > 0,
    })
  }
  const running = new Fleet(wanted => SERVICES.map(name => startOne(name, wanted)))
  fleet = running
  running.start(release)

  let steps: UpgradeSteps | undefined
  const urlsOf = (name: string) => () =>
    steps?.isAway ? [] : running.services.filter(one => one.name === name).map(one => one.url)
  const wanted = wantedPort()
  const host = readHost()
  const openAt = (address: { port: number; host?: string | undefined }) =>
    openFrontDoor({
      api: urlsOf('api'),
      events: urlsOf('events'),
      ...address,
      trustProxy,
    })
  if (watch) {
    const inner = await openAt({ port: 0, host: '127.0.0.1' })
    doors.push(inner)
    // Vite is a development dependency: it may be missing where bothy only runs.
    const { openDevServer } = await import('./dev-server.ts')
    doors.unshift(await openOnFreePort(wanted, port => openDevServer({ frontDoor: inner.url, port, host })))
  } else doors.push(await openOnFreePort(wanted, port => openAt({ port, host })))
  const [door] = doors
  await allReady(running, say)
  writeWhole(ADDRESS_FILE, `${door!.url}\n`)
  writeWhole(DOOR_FILE, `${host ?? '0.0.0.0'}\n`)
  const upgrades = new UpgradeSteps(running, release, say)
  steps = upgrades
  process.on('SIGUSR2', () => void upgrades.take())
  const note = wanted !== 0 && door!.port !== wanted ? ` (port ${wanted} is taken)` : ''
  say(`bothy is running at ${door!.url}${note}`)
  const office = officeHost(host ?? '0.0.0.0')
  const elsewhere = process.env.PUBLIC_URL || (office && `http://${office}:${door!.port}`)
  say(
    elsewhere
      ? `Other machines of the office open ${elsewhere}`
      : 'Only this computer can open it: see LISTEN_HOST and PUBLIC_URL in infra/README.md.',
  )
  const hint = httpsHint(process.env)
  if (hint !== undefined && !watch) say(hint)
  const claim = await claimCode(stores.directDatabaseUrl ?? stores.databaseUrl)
  const reminder = upgradeReminder(DATA, ROOT)
  if (reminder !== undefined) say(`This is the release before the last upgrade. ${reminder}`)
  if (claim !== undefined) say(`No owner yet. Open ${new URL(elsewhere || door!.url).origin}/claim/${claim}`)
}

/** 0: any free one. */
const wantedPort = () => (process.env.PORT ? Number(process.env.PORT) : DEFAULT_PORT)

/** The fault of a given DATABASE_URL; its own PostgreSQL has no address that an operator could correct. */
function unusableDatabase(err: unknown): Error | undefined {
  const variable = process.env.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const url = variableText(variable)
  if (url === undefined || err instanceof ConfigurationError) return undefined
  const reason = `PostgreSQL cannot be used (${reasonOf(err)})`
  const next = `Start PostgreSQL, or correct ${variable}.`
  return new ConfigurationError([
    wrongDatabaseUrl(err, { variable, url }) ?? unusable(variable, url, reason, next),
  ])
}

/** The code that makes the first owner; undefined if there is one. */
async function claimCode(databaseUrl: string): Promise<string | undefined> {
  const pool = openPool(databaseUrl, { size: 1 })
  try {
    return await makeClaimCode(pool)
  } finally {
    await pool.end()
  }
}

async function stopEverything() {
  await Promise.all([...doors.map(door => door.close()), closeMetricsPorts()])
  await fleet?.end()
  // Not only as remaining children, which their supervisors would announce to start again.
  await backing?.stop()
  if (claimed)
    for (const file of [
      RUNNING,
      upgradeFiles(DATA).release,
      DATABASE_URL_FILE,
      ADMIN_URL_FILE,
      REDIS_URL_FILE,
      ADDRESS_FILE,
      DOOR_FILE,
    ])
      rmSync(file, { force: true })
}

/** Exits if another instance runs from this clone: both would use the same database folder. */
function claimClone() {
  mkdirSync(DATA, { recursive: true })
  const pid = existsSync(RUNNING) ? Number(readFileSync(RUNNING, 'utf8')) : 0
  if (pid > 0 && pid !== process.pid && worksIn(join(ROOT, 'infra/run'), pid)) {
    fail(`bothy is running from this folder already (process ${pid}).`)
  }
  // Files of a killed `npm start`: an upgrade would signal this process before it has a handler.
  for (const file of [ADDRESS_FILE, upgradeFiles(DATA).release]) rmSync(file, { force: true })
  writeWhole(RUNNING, String(process.pid))
  claimed = true
}

/** Listens on the requested port, or on the next free one. */
async function openOnFreePort(
  wanted: number,
  open: (port: number) => Promise<FrontDoor>,
): Promise<FrontDoor> {
  for (let port = wanted; port < Math.min(wanted + 100, 65_536); port++) {
    if (await somebodyAnswers(port)) continue
    try {
      return await open(port)
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE') throw listenFault(err, { port, host: readHost(), variable: 'PORT' }) ?? err
    }
  }
  return fail(`All ports from ${wanted} on are taken: choose another with PORT.`)
}

/** Some systems let us bind a port on all addresses while another program has it on one of them. */
async function somebodyAnswers(port: number): Promise<boolean> {
  if (port === 0) return false
  const tries = ['127.0.0.1', '::1'].map(
    host =>
      new Promise<boolean>(resolve => {
        const socket = connect({ host, port, timeout: 500 })
        const answer = (yes: boolean) => {
          socket.destroy()
          resolve(yes)
        }
        socket.once('connect', () => answer(true))
        socket.once('error', () => answer(false))
        socket.once('timeout', () => answer(false))
      }),
  )
  return (await Promise.all(tries)).includes(true)
}

async function allReady({ services }: Fleet, say: (line: string) => void) {
  let reminded = Date.now()
  for (;;) {
    const ready = await Promise.all(services.map(service => service.isReady()))
    const missing = services.filter((_, i) => !ready[i]).map(service => service.name)
    if (missing.length === 0) return
    if (Date.now() - reminded > PATIENCE) {
      say(`Still waiting for ${missing.join(', ')}: see ${LOGS}.`)
      reminded = Date.now()
    }
    await pause(50)
  }
}
