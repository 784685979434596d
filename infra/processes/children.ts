import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '#shared/runtime/config.ts'

/** The signal that stops a child. PostgreSQL waits for its clients after SIGTERM, not after SIGINT. */
type StopSignal = 'SIGTERM' | 'SIGINT'

const GRACE = 12_000
const alive = new Map<ChildProcess, StopSignal>()
let reaper: ChildProcess | undefined
let closed = false

/**
 * Starts a program that ends no later than this process. It leads its own process group: Ctrl-C reaches only this
 * process, which stops its children in order.
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
  notifyReaper(`+ ${pid} ${stopWith}`)
  child.once('exit', () => {
    alive.delete(child)
    notifyReaper(`- ${pid}`)
  })
  return child
}

/** Programs by service: `previews` has two, in processes with rights of their own (architecture 2.5). */
const PROGRAMS: Record<string, string> = {
  previews: 'services/previews/cards/main.ts',
  'previews-pictures': 'services/previews/pictures/main.ts',
}

/** Path of a process's program, relative to the root. */
export const programOf = (service: string): string => PROGRAMS[service] ?? `services/${service}/main.ts`

/** Variables withheld from processes that handle hostile input: `previews` opens connections to any address. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'SECRETS_KEY',
].flatMap(name => [name, `${name}_FILE`])
const BUCKET_KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].flatMap(name => [
  name,
  `${name}_FILE`,
])
const WITHHELD: Record<string, readonly string[]> = {
  previews: [...SECRETS, 'FILES_URL', ...BUCKET_KEYS],
  'previews-pictures': SECRETS,
}

/** Makes glibc return the memory of decoded images to the system: cuts resident memory to a third. */
const DECODES_IMAGES = { MALLOC_MMAP_THRESHOLD_: '131072' }

/** The environment of a service. A service in WITHHELD gets the Redis address of its own user, if that user exists. */
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
 * Collects garbage earlier than Node does by default. Each of a gateway's streams starts with some 40 KB of it, and
 * 2,000 tabs reconnect within seconds: the peak falls from 350 to 190 MB (infra/bench/office-wire.ts).
 */
const SMALL_HEAP = ['--max-semi-space-size=2', '--heap-growing-percent=20']

/**
 * Node's arguments for a service. `previews` runs under Node's permission model: it can read its code and the settings,
 * and no other file of this account, above all no uploads.
 */
export function nodeArgsOf(service: string, env: NodeJS.ProcessEnv, root = ROOT): string[] {
  if (service === 'events') return SMALL_HEAP
  if (service !== 'previews') return []
  const readable = [
    'node_modules',
    'services/previews/cards',
    'shared',
    'package.json',
    env.SETTINGS_FILE || 'settings.json',
  ]
  // A release beside this one may link the dependencies (infra/tools/upgrade.ts).
  const modules = join(root, 'node_modules')
  if (existsSync(modules)) readable.push(realpathSync(modules))
  return [
    '--permission',
    // sharp is an addon; pino and BullMQ start threads.
    '--allow-addons',
    '--allow-worker',
    '--disable-warning=PERM0001',
    '--disable-warning=PERM0006',
    ...readable.map(path => `--allow-fs-read=${resolve(root, path)}`),
  ]
}

/** Sends the stop signal; after 12 s kills the process group. */
export async function stopChild(child: ChildProcess, signal = alive.get(child)): Promise<void> {
  if (!alive.has(child)) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => killGroup(child), GRACE)
  await gone
  clearTimeout(timer)
}

/** Kills a child, as a crash would; resolves when it has exited. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (!alive.has(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** The last step of a stop: ends the remaining children and refuses new ones. */
export async function stopAllChildren(): Promise<void> {
  closed = true
  await Promise.all([...alive.keys()].map(child => stopChild(child)))
}

/** Runs a program to its end and returns its output. */
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
    // Already exited.
  }
}

/** Has a container removed if this process ends without stopping it. Returns the function that cancels this. */
export function keepContainer(id: string): () => void {
  notifyReaper(`+ container ${id}`)
  return () => notifyReaper(`- container ${id}`)
}

/** Creates a folder that is removed when this process ends. `remove` removes it earlier. */
export function temporaryFolder(name: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), name))
  notifyReaper(`+ folder ${path}`)
  const remove = () => {
    rmSync(path, { recursive: true, force: true })
    notifyReaper(`- folder ${path}`)
  }
  return { path, remove }
}

function notifyReaper(line: string) {
  reaper ??= startReaper()
  reaper.stdin?.write(`${line}\n`)
}

function startReaper() {
  const path = fileURLToPath(new URL('reaper.mjs', import.meta.url))
  const started = spawn(process.execPath, [path], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // The reaper must not keep this process alive.
  started.unref()
  ;(started.stdin as Socket).unref()
  started.stdin?.on('error', () => {})
  return started
}
