import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '#shared/runtime/config.ts'
import { hasApt, unpackPackage } from '../dev-stores/debian.ts'
import { startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { DATA } from '../processes/data-folder.ts'
import { freePort } from '../processes/free-port.ts'

/** The program, from Debian's package where there is apt; undefined if there is none. */
export async function findCaddy(): Promise<string | undefined> {
  const named = process.env['CADDY'] ?? 'caddy'
  if (spawnSync(named, ['version']).status === 0) return named
  if (!hasApt()) return undefined
  const folder = join(DATA, 'caddy')
  const program = join(folder, 'usr/bin/caddy')
  if (spawnSync(program, ['version']).status !== 0) await unpackPackage('caddy', folder)
  return program
}

/** Milliseconds. */
const READY_WITHIN = 30_000

interface Wanted {
  /** Ports of the processes behind it. */
  api: string
  events: string
  /** The variables of the Caddyfile. */
  env: NodeJS.ProcessEnv
  /** Further changes of the Caddyfile. */
  edit?: (text: string) => string
  /** Port of the health check and of the authority's certificate. */
  insidePort?: number
  /** An address that responds when Caddy is ready. */
  probe: string
}

export interface RunningCaddy {
  /** Where it keeps its authority and certificates. */
  data: string
  output(): string
  stop(): Promise<void>
}

/** Caddy with infra/Caddyfile, whose processes are found by name in containers and by port here. */
export async function startCaddy(program: string, wanted: Wanted): Promise<RunningCaddy> {
  const { path: folder, remove } = temporaryFolder('bothy-caddy-')
  const data = join(folder, 'data')
  const file = join(folder, 'Caddyfile')
  const insidePort = wanted.insidePort ?? (await freePort())
  // Debian's version is older than that of the image: other names of arguments, no trusted_proxies.
  const text = readFileSync(join(ROOT, 'infra/Caddyfile'), 'utf8')
    .replace(/\{args\[(\d)\]\}/g, '{args.$1}')
    .replace(/dynamic a \{args\.0\} 8080 \{\s+refresh 1s\s+\}/, 'to {args.0}')
    .replace('admin off', 'admin off\n\tdefault_bind 127.0.0.1')
    .replace(/^.*trusted_proxies.*$/m, '')
    .replaceAll('import replicas api', `import replicas 127.0.0.1:${wanted.api}`)
    .replaceAll('import replicas events', `import replicas 127.0.0.1:${wanted.events}`)
    .replace('handle_errors 502 503 504 {', 'handle_errors {')
    .replace(':2080', `http://127.0.0.1:${insidePort}`)
    .replaceAll('/data/caddy/', `${data}/caddy/`)
  if (!text.includes('to {args.0}') || !text.includes(wanted.api)) throw new Error('another Caddyfile')
  writeFileSync(file, wanted.edit?.(text) ?? text)
  const child = startChild(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: data,
      // In containers it is on loopback, too.
      PLAIN_ADDRESS: `http://127.0.0.1:${await freePort()}`,
      ...wanted.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', more => {
      output += more
    })
  const ended = once(child, 'exit')
  for (const latest = Date.now() + READY_WITHIN; !(await responds(wanted.probe)); await pause(100)) {
    if (child.exitCode !== null) throw new Error(output)
    if (Date.now() > latest) throw new Error(`Caddy does not respond:\n${output}`)
  }
  return {
    data,
    output: () => output,
    stop: async () => {
      await stopChild(child)
      await ended
      remove()
    },
  }
}

const responds = (address: string) =>
  fetch(address, { redirect: 'manual' }).then(
    ({ status }) => status < 400,
    () => false,
  )
