import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'

/**
 * The data of a clone, ignored by git. BOTHY_DATA names another folder, to run a second instance from the same clone.
 */
export const DATA = process.env.BOTHY_DATA || join(ROOT, '.data')

/** The account of the stores, if it is not that of this process. */
export interface Account {
  uid: number
  gid: number
}

/**
 * If root starts us, the stores run under an unprivileged account: PostgreSQL refuses root, and Redis does not need it.
 */
export function storeAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  return (
    accountNamed('postgres') ?? accountNamed('nobody') ?? fail('root has no account to run PostgreSQL as')
  )
}

function accountNamed(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map(flag =>
    spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim(),
  )
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/** The owner of existing data stays the owner, also if a preferred account has been created since. */
export function ownerOf(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  return uid === 0 ? storeAccount() : { uid, gid }
}

/**
 * The data folder of the stores: `.data` of the clone. If the account cannot reach the clone (under /root, say), it is
 * in /var/lib/bothy, and `.data/stores` links to it.
 */
export function storesFolder(): string {
  mkdirSync(DATA, { recursive: true })
  const link = join(DATA, 'stores')
  if (existsSync(link)) return realpathSync(link)
  const account = storeAccount()
  if (!account || canReach(DATA, account)) return DATA
  const name = `${basename(ROOT)}-${createHash('sha256').update(DATA).digest('hex').slice(0, 8)}`
  const outside = join('/var/lib/bothy', name)
  mkdirSync(outside, { recursive: true, mode: 0o755 })
  symlinkSync(outside, link)
  return outside
}

/** Whether the account can traverse all parents of a folder and read it. */
export function canReach(folder: string, { uid, gid }: Account): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0" && test -r .', folder], { uid, gid, cwd: '/' }).status === 0
}

/** Creates a folder that only the given account can read. */
export function privateFolder(path: string, account: Account | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Whether a process is alive and uses a folder, by its command line or its working folder. */
export function worksIn(folder: string, pid: number): boolean {
  if (!isAlive(pid)) return false
  try {
    if (!existsSync('/proc/self/cmdline')) {
      return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(folder)
    }
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) ||
      readlinkSync(`/proc/${pid}/cwd`) === folder
    )
  } catch {
    return false
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Stops the process that a crashed run left behind: the one of a pid file, if it still is the one that wrote it. */
export async function stopLeftover(pidFile: string, folder: string, signal: NodeJS.Signals): Promise<void> {
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0
  const isLeft = () => pid > 1 && worksIn(folder, pid)
  for (const [asked, patience] of [
    [signal, 10_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!isLeft()) break
    process.kill(pid, asked)
    for (const end = Date.now() + patience; isLeft() && Date.now() < end; ) await pause(50)
  }
  // After a crash the pid may belong to another process, which the store would take for itself.
  rmSync(pidFile, { force: true })
}

export const pause = (milliseconds: number) => new Promise(wake => setTimeout(wake, milliseconds))

export function fail(sentence: string): never {
  throw new Error(sentence)
}
