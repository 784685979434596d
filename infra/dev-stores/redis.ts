import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Redis } from 'ioredis'
import { REDIS_USERS, type RedisUser, redisRights } from '#shared/stores/redis-users.ts'
import { killChild, startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { fail } from '../processes/fail.ts'
import { freePort } from '../processes/free-port.ts'
import { stopLeftover } from '../processes/leftover-process.ts'
import { hasApt, unpackedEnvironment, unpackPackage } from './debian.ts'
import type { KillableStore } from './postgres.ts'
import { endingOf, restartWhenEnded, type Served, type Store } from './restart-store.ts'
import { startFailure } from './start-failure.ts'
import { type Account, canReach, ownerOf, privateFolder, storeAccount } from './store-account.ts'
import { storesFolder } from './stores-folder.ts'

const NAMES = ['redis-server', 'valkey-server']
/** The first major version with users: those of `shared/stores/redis-users.ts` have few rights. */
const OLDEST = 6
/** Time limit for a program to tell its version. */
const ANSWERS_WITHIN = 10_000
/** It reads its data before it answers. */
const ANSWER_WITHIN = 60_000
/** As in docker-compose.yml: writes fail before the machine runs out of memory, and no session vanishes. */
const BOUNDED_MEMORY = ['maxmemory 600mb', 'maxmemory-policy noeviction']

interface Program {
  path: string
  env: NodeJS.ProcessEnv
}

export class NoRedis extends Error {
  constructor(cause?: unknown) {
    super(
      'There is no Redis here: install Redis or Valkey (Fedora: dnf install valkey; macOS: brew install redis), ' +
        'or give the address of one in REDIS_URL.',
      { cause },
    )
  }
}

/** Starts the Redis of this clone, whose data survives a stop. Restarts it when its process dies. */
export async function startRedis(log: string, say: (line: string) => void): Promise<OwnRedis> {
  const program = await findRedis(say)
  const folder = join(storesFolder(), 'redis')
  const account = existsSync(folder) ? ownerOf(folder) : storeAccount()
  privateFolder(folder, account)
  await stopLeftover(join(folder, 'redis.pid'), folder, 'SIGTERM')
  const address = { port: await freePort(), password: newPassword() }
  const passwords = new Map(REDIS_USERS.map(user => [user, newPassword()]))
  let urls: OwnRedis['userUrls']
  const start = async () => {
    const settings = ['appendonly yes', ...BOUNDED_MEMORY]
    const served = await serve({ program, folder, account, log, settings, address })
    // Redis keeps users in memory, so each start creates them.
    urls = await createUsers(served.url, passwords).catch(err => {
      say(
        `previews and previews-pictures have all rights in Redis, because it accepts no users (${err.message}).`,
      )
      return undefined
    })
    return served
  }
  const store = await restartWhenEnded({ name: 'Redis', start, say })
  return { ...store, userUrls: urls }
}

export interface OwnRedis extends Store {
  /** undefined for a Redis older than version 6, which has no users. */
  userUrls: { [user in RedisUser]?: string | undefined } | undefined
}

async function createUsers(redisUrl: string, passwords: Map<RedisUser, string>) {
  const urls: { [user in RedisUser]?: string } = {}
  for (const [user, password] of passwords) urls[user] = await addRedisUser(redisUrl, user, { password })
  return urls
}

/** Starts a Redis for a run of the tests, without persistence. */
export async function startEphemeralRedis(say: (line: string) => void): Promise<Store> {
  const program = await findRedis(say)
  const account = storeAccount()
  const { path: folder, remove: forget } = temporaryFolder('bothy-redis-')
  privateFolder(folder, account)
  try {
    const log = join(folder, 'log')
    const store = await serve({ program, folder, account, log, settings: ['appendonly no'] })
    return { url: store.url, stop: () => store.stop().finally(forget) }
  } catch (err) {
    forget()
    throw err
  }
}

/** Starts a Redis that a test kills; its data survives that, unless `forget` is called. */
export async function startKillableRedis(
  say: (line: string) => void,
): Promise<KillableStore & { forget(): void }> {
  const program = await findRedis(say)
  const account = storeAccount()
  const { path: folder, remove } = temporaryFolder('bothy-redis-')
  privateFolder(folder, account)
  const address = { port: await freePort(), password: newPassword() }
  const serving = {
    program,
    folder,
    account,
    log: join(folder, 'log'),
    settings: ['appendonly yes'],
    address,
  }
  let store: Served | undefined
  const start = async () => {
    store = await serve(serving)
  }
  await start()
  return {
    url: store!.url,
    start,
    kill: async () => store?.kill(),
    /** To be called while it is down. */
    forget: () => rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true }),
    stop: async () => {
      await store?.stop()
      remove()
    },
  }
}

/**
 * Creates the user of a restricted process, until Redis restarts, and returns its address. Tests that share a Redis
 * give each user a `name`.
 */
export async function addRedisUser(
  redisUrl: string,
  user: RedisUser,
  {
    prefix = process.env.REDIS_PREFIX ?? 'bothy:',
    name = user as string,
    password = newPassword(),
    ca,
  }: AsUser = {},
): Promise<string> {
  const url = new URL(redisUrl)
  url.username = name
  url.password = password
  await asAdmin(
    redisUrl,
    redis =>
      redis.call('ACL', 'SETUSER', name, 'reset', 'on', `>${url.password}`, ...redisRights(user, prefix)),
    ca,
  )
  return url.href
}

interface AsUser {
  prefix?: string
  name?: string
  password?: string
  /** The certificate of an encrypted Redis. */
  ca?: Buffer | undefined
}

export async function removeRedisUser(redisUrl: string, name: string): Promise<void> {
  await asAdmin(redisUrl, redis => redis.call('ACL', 'DELUSER', name))
}

async function asAdmin(redisUrl: string, work: (redis: Redis) => Promise<unknown>, ca?: Buffer) {
  const redis = new Redis(redisUrl, ca ? { tls: { ca } } : {})
  redis.on('error', () => {})
  try {
    await work(redis)
  } finally {
    redis.disconnect()
  }
}

/**
 * From the PATH, else unpacked by an earlier start, else fetched from Debian's packages, if apt is available. A
 * program on the PATH that does not run is passed over; an older one than OLDEST is used only where no other can be had.
 */
export async function findRedis(say: (line: string) => void): Promise<Program> {
  const onPath = NAMES.flatMap(allOnPath)
    .map(path => ({ path, env: {} }))
    .filter(runs)
  const usable = onPath.find(program => majorOf(program) >= OLDEST)
  if (usable) return usable
  try {
    return await fetchedRedis(say)
  } catch (err) {
    if (onPath[0]) return onPath[0]
    throw err
  }
}

async function fetchedRedis(say: (line: string) => void): Promise<Program> {
  if (!hasApt()) throw new NoRedis()
  const folder = join(storesFolder(), 'redis-program')
  const unpacked = { path: join(folder, 'usr/bin/redis-server'), env: unpackedEnvironment(folder) }
  if (runs(unpacked)) return unpacked
  say('Fetching Redis from Debian (once) …')
  try {
    // Debian's redis-server is a link to a program of redis-tools.
    await unpackPackage('redis-server', folder, { parts: ['redis-server', 'redis-tools'] })
  } catch (err) {
    throw new NoRedis(err)
  }
  const fetched = { ...unpacked, env: unpackedEnvironment(folder) }
  if (!runs(fetched)) throw new NoRedis(new Error(`${fetched.path}: ${versionOf(fetched).stderr}`))
  return fetched
}

/** The first program of that name on the PATH. */
export const findOnPath = (name: string): string | undefined => allOnPath(name)[0]

function allOnPath(name: string): string[] {
  // The PATH of root may lack the sbin folders in which some systems keep servers.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/bin', '/usr/bin', '/usr/sbin']
  return folders
    .filter(folder => folder !== '')
    .map(folder => join(folder, name))
    .filter(path => {
      try {
        accessSync(path, constants.X_OK)
        return statSync(path).isFile()
      } catch {
        return false
      }
    })
}

/** As the account of the stores, which may not reach what root reaches. */
const versionOf = ({ path, env }: Program) =>
  spawnSync(path, ['--version'], {
    ...storeAccount(),
    cwd: '/',
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    timeout: ANSWERS_WITHIN,
  })

const runs = (program: Program) => versionOf(program).status === 0

/** Of `Redis server v=7.0.15 …` and `Valkey server v=8.0.1 …`. */
const majorOf = (program: Program) => Number(/v=(\d+)/.exec(versionOf(program).stdout)?.[1] ?? 0)

interface Serving {
  program: Program
  folder: string
  account: Account | undefined
  log: string
  settings: string[]
  /** Default: a new port and password. */
  address?: { port: number; password: string }
  /** Takes encrypted connections only, with this certificate; `settings` name its file. */
  ca?: Buffer | undefined
}

export const newPassword = () => randomBytes(18).toString('base64url')

export async function serve({
  program,
  folder,
  account,
  log,
  settings,
  address,
  ca,
}: Serving): Promise<Served> {
  const { port, password } = address ?? { port: await freePort(), password: newPassword() }
  const output = openSync(log, 'a', 0o600)
  if (account && !canReach(folder, account)) fail(`Redis cannot reach ${folder}`)
  const child = startChild(program.path, ['-', `--dir ${folder}`], {
    ...account,
    cwd: folder,
    env: { PATH: process.env.PATH, ...program.env },
    stdio: ['pipe', output, output],
  })
  closeSync(output)
  // Configured through standard input, so that the password is in no list of processes.
  const lines = [
    'bind 127.0.0.1',
    ...(ca ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
    `requirepass ${password}`,
    'save ""',
    `pidfile ${folder}/redis.pid`,
  ]
  child.stdin?.on('error', () => {})
  child.stdin?.end(`${[...lines, ...settings].join('\n')}\n`)
  const url = `redis${ca ? 's' : ''}://:${password}@127.0.0.1:${port}`
  const ended = once(child, 'exit').then(() => Promise.reject(startFailure('Redis', { log, folder })))
  ended.catch(() => {})
  const exit = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => resolve(endingOf(code, signal)))
  })
  try {
    await answers(url, ended, ca)
  } catch (err) {
    await killChild(child)
    throw err
  }
  return { url, pid: child.pid!, stop: () => stopChild(child), kill: () => killChild(child), ended: exit }
}

async function answers(url: string, ended: Promise<never>, ca?: Buffer) {
  const client = new Redis(url, {
    retryStrategy: () => 30,
    maxRetriesPerRequest: null,
    ...(ca && { tls: { ca } }),
  })
  client.on('error', () => {})
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer')), ANSWER_WITHIN)
  })
  try {
    await Promise.race([client.ping(), late, ended])
  } finally {
    clearTimeout(timer)
    client.disconnect()
  }
}
