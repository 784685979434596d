import { spawnSync } from 'node:child_process'
import { chownSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasApt, unpackedEnvironment, unpackPackage } from '../dev-stores/debian.ts'
import type { KillableStore } from '../dev-stores/postgres.ts'
import { findOnPath } from '../dev-stores/redis.ts'
import { privateFolder, storeAccount } from '../dev-stores/store-account.ts'
import { storesFolder } from '../dev-stores/stores-folder.ts'
import { killChild, startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { fail } from '../processes/fail.ts'
import { freePort } from '../processes/free-port.ts'

/** PgBouncer in transaction mode before a database, for tests. */

export class NoPgBouncer extends Error {}

const STARTS_WITHIN = 15_000

/**
 * `limits`: the operator's `connect_query` (docs/operations.md); `settings`: further lines. Its server connections are few,
 * so that processes share them.
 */
export async function startPgBouncer(
  databaseUrl: string,
  { limits = true, settings = [] as string[] } = {},
): Promise<KillableStore> {
  const program = await findPgBouncer()
  const account = storeAccount()
  const { path: folder, remove } = temporaryFolder('bothy-pgbouncer-')
  privateFolder(folder, account)
  const { port: serverPort, hostname, username, password } = new URL(databaseUrl)
  const port = await freePort()
  const query = `connect_query='set statement_timeout = 5000; set lock_timeout = 3000; set idle_in_transaction_session_timeout = 10000'`
  const write = (name: string, lines: string[]) => {
    const path = join(folder, name)
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }
  const users = write('users.txt', [`"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"`])
  const file = write('pgbouncer.ini', [
    '[databases]',
    `* = host=${hostname} port=${serverPort || 5432} ${limits ? query : ''}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 200',
    ...settings,
  ])
  const log = join(folder, 'log')
  let child: ReturnType<typeof startChild> | undefined
  const start = async () => {
    const output = openSync(log, 'a', 0o600)
    child = startChild(program.path, [file], {
      ...account,
      cwd: '/',
      env: { PATH: process.env.PATH, ...program.env },
      stdio: ['ignore', output, output],
      stopWith: 'SIGINT',
    })
    for (const end = Date.now() + STARTS_WITHIN; !(await accepts(port)); await pause(50)) {
      if (child.exitCode !== null || Date.now() > end)
        fail(`PgBouncer did not start:\n${readFileSync(log, 'utf8')}`)
    }
  }
  await start()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    start,
    kill: async () => child && killChild(child),
    stop: async () => {
      if (child) await stopChild(child)
      remove()
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createConnection(port, '127.0.0.1')
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** From the PATH, else unpacked by an earlier run, else fetched from Debian's packages. */
async function findPgBouncer() {
  const onPath = findOnPath('pgbouncer')
  if (onPath) return { path: onPath, env: {} }
  if (!hasApt()) throw new NoPgBouncer('There is no PgBouncer here.')
  const folder = join(storesFolder(), 'pgbouncer-program')
  const program = () => ({ path: join(folder, 'usr/sbin/pgbouncer'), env: unpackedEnvironment(folder) })
  const runs = () => spawnSync(program().path, ['--version'], { env: program().env }).status === 0
  if (!runs()) await unpackPackage('pgbouncer', folder)
  if (!runs()) throw new NoPgBouncer('PgBouncer does not run here.')
  return program()
}
