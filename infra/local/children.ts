import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '#shared/kernel/config.ts'

/** How a child is asked to stop: PostgreSQL takes SIGTERM as "when the last client has left". */
type StopSignal = 'SIGTERM' | 'SIGINT'

const GRACE = 12_000
const alive = new Map<ChildProcess, StopSignal>()
let keeper: ChildProcess | undefined
let closed = false

/**
 * Starts a program that ends no later than this process. It leads a group of its own: a Ctrl-C in the terminal goes
 * to this process alone, which stops its children in their order.
 */
export function startChild(
  command: string,
  args: string[],
  { stopWith = 'SIGTERM', ...options }: SpawnOptions & { stopWith?: StopSignal } = {},
): ChildProcess {
  if (closed) throw new Error('stopping')
  const child = spawn(command, args, { stdio: 'ignore', ...options, detached: true })
  const { pid } = child
  if (pid === undefined) return child
  alive.set(child, stopWith)
  tellKeeper(`+ ${pid} ${stopWith}`)
  child.once('exit', () => {
    alive.delete(child)
    tellKeeper(`- ${pid}`)
  })
  return child
}

/** The variables that a process which handles hostile input does not get: `previews` opens connections to any address. */
const SECRETS = ['DATABASE_URL', 'SESSION_SECRET', 'SESSION_SECRET_PREVIOUS'].flatMap(name => [
  name,
  `${name}_FILE`,
])
const WITHHELD: Record<string, readonly string[]> = {
  previews: [...SECRETS, 'FILES_URL'],
  thumbnails: SECRETS,
}

/** Makes glibc return the memory of decoded images to the system: the process holds a third of what it would otherwise. */
const DECODES_IMAGES = { MALLOC_MMAP_THRESHOLD_: '131072' }

/** The environment of one service. A service in WITHHELD gets its own user's address of Redis, where there is one. */
export function environmentOf(service: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PREVIEWS_REDIS_URL, THUMBNAILS_REDIS_URL, ...others } = env
  const withheld = WITHHELD[service]
  if (!withheld) return others
  const kept = Object.entries(others).filter(([name]) => !withheld.includes(name))
  const restricted = service === 'previews' ? PREVIEWS_REDIS_URL : THUMBNAILS_REDIS_URL
  const redis = restricted ? { REDIS_URL: restricted, REDIS_URL_FILE: undefined } : {}
  return { ...DECODES_IMAGES, ...Object.fromEntries(kept), ...redis }
}

/**
 * Arguments for Node of one service. `previews` runs under Node's permission model: it can read its own code and the settings, and no
 * other file of this account, the uploads above all.
 */
export function nodeArgsOf(service: string, env: NodeJS.ProcessEnv): string[] {
  if (service !== 'previews') return []
  const readable = [
    'node_modules',
    'services/previews',
    'shared',
    'package.json',
    env.SETTINGS_FILE || 'settings.json',
  ]
  return [
    '--permission',
    // sharp is an addon, and pino and BullMQ start threads.
    '--allow-addons',
    '--allow-worker',
    '--disable-warning=PERM0001',
    '--disable-warning=PERM0006',
    ...readable.map(path => `--allow-fs-read=${resolve(ROOT, path)}`),
  ]
}

/** Asks, waits, and after twelve seconds ends it with everything it started. */
export async function stopChild(child: ChildProcess, signal = alive.get(child)): Promise<void> {
  if (!alive.has(child)) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => killGroup(child), GRACE)
  await gone
  clearTimeout(timer)
}

/** Takes it away at once, as a crash would; resolves when it is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (!alive.has(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** The last step of a stop: whatever is still there, and nothing can be started any more. */
export async function stopAllChildren(): Promise<void> {
  closed = true
  await Promise.all([...alive.keys()].map(child => stopChild(child)))
}

/** Runs a program to its end and hands back what it printed. */
export async function runToEnd(command: string, args: string[], options: SpawnOptions = {}) {
  const child = startChild(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  child.stderr?.on('data', chunk => {
    output += chunk
  })
  try {
    const [code] = await once(child, 'close')
    return { ok: code === 0, output }
  } catch (err) {
    return { ok: false, output: (err as Error).message }
  }
}

export function killGroup(child: ChildProcess) {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It ended by itself in this moment.
  }
}

/** A container that is removed when this process ends without having stopped it; answers the withdrawal. */
export function keepContainer(id: string): () => void {
  tellKeeper(`+ container ${id}`)
  return () => tellKeeper(`- container ${id}`)
}

/** A new folder for what nobody needs after this process; answers its path and how to remove it now. */
export function temporaryFolder(name: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), name))
  tellKeeper(`+ folder ${path}`)
  const remove = () => {
    rmSync(path, { recursive: true, force: true })
    tellKeeper(`- folder ${path}`)
  }
  return { path, remove }
}

function tellKeeper(line: string) {
  keeper ??= startKeeper()
  keeper.stdin?.write(`${line}\n`)
}

function startKeeper() {
  const path = fileURLToPath(new URL('keeper.mjs', import.meta.url))
  const started = spawn(process.execPath, [path], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // It must not keep this process alive.
  started.unref()
  ;(started.stdin as Socket).unref()
  started.stdin?.on('error', () => {})
  return started
}
