import { chownSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { killChild, startChild, temporaryFolder } from '../processes/children.ts'
import { fail } from '../processes/fail.ts'
import { freePort } from '../processes/free-port.ts'
import { findRedis, newPassword, serve } from './redis.ts'
import type { Served } from './restart-store.ts'
import { silence } from './silence.ts'
import { privateFolder, storeAccount } from './store-account.ts'

const NAME = 'office'
const SENTINELS = 3
const WITHIN = 60_000

export interface WatchedRedis {
  /** The sentinels, for a user of the servers. */
  urlOf(user?: { name: string; password: string }): string
  /** To trust, where connections are encrypted. */
  ca: Buffer | undefined
  /** Both servers; users are not replicated. */
  serverUrls: string[]
  /** As the sentinels see it. */
  primaryPort(): Promise<number>
  killPrimary(): Promise<void>
  /** The primary neither responds nor closes a connection, until the returned function is called. */
  silencePrimary(): Promise<() => void>
  /** Both servers are there, and one follows the other. */
  isWhole(): Promise<boolean>
  stop(): Promise<void>
}

/** A certificate for 127.0.0.1 and its key; its own authority, until 2126. */
export const LOCAL_TLS = join(import.meta.dirname, 'local-tls.pem')

/** A primary, a replica and three sentinels, for tests. `isEncrypted`: they take encrypted connections only. */
export async function startWatchedRedis({ isEncrypted = false } = {}): Promise<WatchedRedis> {
  const program = await findRedis(() => {})
  const account = storeAccount()
  const password = newPassword()
  const sentinelPassword = newPassword()
  const folders = ['a', 'b', ...Array.from({ length: SENTINELS }, (_, i) => `sentinel${i}`)].map(() =>
    temporaryFolder('bothy-redis-'),
  )
  for (const { path } of folders) privateFolder(path, account)
  const pem = readFileSync(LOCAL_TLS)
  const ca = isEncrypted ? pem : undefined
  const encryption = (folder: string): string[] => {
    if (!isEncrypted) return []
    const file = join(folder, 'tls.pem')
    writeFileSync(file, pem, { mode: 0o600 })
    if (account) chownSync(file, account.uid, account.gid)
    return [
      ...['cert', 'key', 'ca-cert'].map(name => `tls-${name}-file ${file}`),
      'tls-auth-clients no',
      // Also of a sentinel to the servers and to other sentinels.
      'tls-replication yes',
    ]
  }
  const servers = new Map<number, Served>()
  const sentinels: { port: number; child: ReturnType<typeof startChild> }[] = []

  const startServer = async (folder: string, settings: string[]) => {
    const address = { port: await freePort(), password }
    const log = join(folder, 'log')
    const all = [
      'appendonly yes',
      // Instead of five seconds for further replicas to come.
      'repl-diskless-sync-delay 0',
      `masterauth ${password}`,
      ...encryption(folder),
      ...settings,
    ]
    servers.set(address.port, await serve({ program, folder, account, log, settings: all, address, ca }))
    return address.port
  }
  const startSentinel = async (folder: string, primary: number) => {
    const port = await freePort()
    const file = join(folder, 'sentinel.conf')
    const lines = [
      ...(isEncrypted ? ['port 0', `tls-port ${port}`, ...encryption(folder)] : [`port ${port}`]),
      ...sentinelLines(folder, primary, password, sentinelPassword),
    ]
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    if (account) chownSync(file, account.uid, account.gid)
    const output = openSync(join(folder, 'log'), 'a', 0o600)
    const child = startChild(program.path, [file, '--sentinel'], {
      ...account,
      cwd: folder,
      env: { PATH: process.env.PATH, ...program.env },
      stdio: ['ignore', output, output],
    })
    sentinels.push({ port, child })
  }
  const resumes = new Set<() => void>()
  const stop = async () => {
    for (const resume of resumes) resume()
    await Promise.all(sentinels.map(({ child }) => killChild(child)))
    await Promise.all([...servers.values()].map(server => server.kill()))
    for (const { remove } of folders) remove()
  }
  const ask = (port: number, ...words: string[]) =>
    askSentinel({ port, password: sentinelPassword, ca }, words)

  try {
    const primary = await startServer(folders[0]!.path, [])
    await startServer(folders[1]!.path, [`replicaof 127.0.0.1 ${primary}`])
    for (const { path } of folders.slice(2)) await startSentinel(path, primary)
    const logs = () =>
      folders.map(({ path }) => readFileSync(join(path, 'log'), 'utf8').slice(-500)).join('\n')
    // A replica that is named successor before it has a copy would lose all that was written.
    await waitUntil(() => isFollowed(primary, { password, ca }), logs)
    // Each sentinel has found the replica and the other sentinels.
    for (const { port } of sentinels) {
      await waitUntil(async () => {
        const facts = (await ask(port, 'master', NAME)) as string[]
        const fact = (name: string) => facts[facts.indexOf(name) + 1]
        return fact('num-slaves') === '1' && fact('num-other-sentinels') === String(SENTINELS - 1)
      }, logs)
    }
    const primaryPort = async () => {
      const [sentinel] = sentinels
      const [, port] = (await ask(sentinel!.port, 'get-master-addr-by-name', NAME)) as string[]
      return Number(port)
    }
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const scheme = isEncrypted ? 'rediss' : 'redis'
    return {
      ca,
      urlOf: user =>
        `${scheme}+sentinel://${user?.name ?? ''}:${user?.password ?? password}@${hosts}/${NAME}?sentinel_password=${sentinelPassword}`,
      serverUrls: [...servers.keys()].map(port => `${scheme}://:${password}@127.0.0.1:${port}`),
      primaryPort,
      killPrimary: async () => {
        const port = await primaryPort()
        await servers.get(port)!.kill()
        servers.delete(port)
      },
      silencePrimary: async () => {
        const resume = silence(servers.get(await primaryPort())!.pid)
        resumes.add(resume)
        return resume
      },
      isWhole: async () => isFollowed(await primaryPort(), { password, ca }),
      stop,
    }
  } catch (err) {
    await stop()
    throw err
  }
}

/** Lines of `sentinel.conf` but those of the port. */
function sentinelLines(
  folder: string,
  primary: number,
  password: string,
  sentinelPassword: string,
): string[] {
  return [
    'bind 127.0.0.1',
    `dir ${folder}`,
    `requirepass ${sentinelPassword}`,
    `sentinel sentinel-pass ${sentinelPassword}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${primary} 2`,
    `sentinel auth-pass ${NAME} ${password}`,
    `sentinel down-after-milliseconds ${NAME} 1000`,
    `sentinel failover-timeout ${NAME} 5000`,
  ]
}

async function askSentinel(
  { port, password, ca }: { port: number; password: string; ca: Buffer | undefined },
  words: string[],
): Promise<unknown> {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    password,
    ...(ca && { tls: { ca } }),
    enableReadyCheck: false,
    maxRetriesPerRequest: null,
  })
  client.on('error', () => {})
  try {
    return await client.call('sentinel', ...words)
  } finally {
    client.disconnect()
  }
}

/** True if one replica follows this server and has a copy of its data. */
async function isFollowed(
  port: number,
  { password, ca }: { password: string; ca: Buffer | undefined },
): Promise<boolean> {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    password,
    commandTimeout: 2_000,
    ...(ca && { tls: { ca } }),
  })
  client.on('error', () => {})
  try {
    const info = await client.info('replication')
    return /^connected_slaves:1\r$/m.test(info) && /state=online/.test(info)
  } finally {
    client.disconnect()
  }
}

/** Polls until the condition holds; exits with the log after a minute. */
async function waitUntil(holds: () => Promise<boolean>, log: () => string) {
  for (const end = Date.now() + WITHIN; !(await holds()); await pause(100))
    if (Date.now() > end) fail(`Redis and its sentinels do not become one:\n${log()}`)
}
