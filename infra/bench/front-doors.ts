/**
 * Measures the CPU of all processes between a message and 1,000 tabs for each front door: the server alone, behind the
 * front door of `npm start`, and behind each installed proxy (nginx, haproxy, caddy); for comparison nchan, which needs
 * no server behind it.
 *
 *   node infra/bench/front-doors.ts [part of a name]       # STREAMS=300 SECONDS=5 for a shorter run
 *
 * The server is broadcaster.ts, so that only the path differs; in the two paths named bothy it is the product, with an
 * api process that writes each message to PostgreSQL and a gateway. PostgreSQL and Redis are not counted. Debian has the reference and the proxies as nginx,
 * libnginx-mod-nchan, haproxy and caddy; NGINX, HAPROXY and CADDY name other programs.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startFrontDoor, startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'
import { openFrontDoor } from '../run/front-door.ts'
import { SocketPass } from '../run/socket-pass.ts'
import type { Ask, Say } from './readers.ts'

const STREAMS = Number(process.env['STREAMS'] ?? 1_000)
const SECONDS = Number(process.env['SECONDS'] ?? 8)
/** Messages per second: a busy office, and a quiet one in which every message is a frame of its own. */
const PACES = [20, 2.5]
/** Size of a `messages` frame with one row. */
const FRAME_BYTES = 450
/** Accounts among which the tabs of the product are divided. */
const PEOPLE = 100
const NCHAN_MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so'

const { path: folder, remove } = temporaryFolder('bothy-front-doors-')
const program = (name: string) => process.env[name.toUpperCase()] ?? name
const isInstalled = (name: string) => spawnSync(program(name), ['-v']).error === undefined

interface Path {
  /** Port to which the tabs connect. */
  port: number
  /** Posts a message that contains the mark. */
  post(mark: string): Promise<unknown>
  /** Cookies of the tabs, in turn. */
  cookies?: string[]
  /** Processes whose CPU counts, with their children. */
  pids: number[]
  close(): Promise<unknown>
}

interface Broadcaster {
  port: number
  child: ChildProcess
}

async function broadcaster(): Promise<Broadcaster> {
  const port = await freePort()
  const child = startChild(process.execPath, [join(import.meta.dirname, 'broadcaster.ts')], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await answering(port)
  return { port, child }
}

const TEXT_BYTES = 200

/** Posts a frame of FRAME_BYTES to a broadcaster. */
const frameTo = (port: number) => (mark: string) =>
  posted(
    `http://127.0.0.1:${port}/frames`,
    `id: 1\nevent: messages\ndata: ${mark}`.padEnd(FRAME_BYTES, 'x').concat('\n\n'),
  )

const posted = (url: string, body: string) =>
  fetch(url, { method: 'POST', headers: { 'X-EventSource-Event': 'messages' }, body }).then(response =>
    response.arrayBuffer(),
  )

/** The product behind the front door that `inFront` opens; returns the door's port and processes. */
async function product(
  inFront: (api: RunningService, gateway: RunningService) => Promise<Pick<Path, 'port' | 'pids' | 'close'>>,
): Promise<Path> {
  const backing = await testBacking()
  const env = { ...backing.env, PASSWORD_ITERATIONS: '1', LOG_LEVEL: 'error' }
  const [api, gateway] = await Promise.all([startService('api', env), startService('events', env)])
  const people: Person[] = []
  for (let i = 0; i < PEOPLE; i++) people.push(await new Person(`tab${i}`, api.url).signUp())
  const door = await inFront(api, gateway)
  const throughDoor = new Person('tab0', `http://127.0.0.1:${door.port}`)
  throughDoor.cookie = people[0]!.cookie
  return {
    port: door.port,
    post: mark => throughDoor.send('general', mark.padEnd(TEXT_BYTES, 'x')),
    cookies: people.map(({ cookie }) => cookie),
    pids: [api.pid, gateway.pid, ...door.pids],
    async close() {
      await door.close()
      await Promise.all([api.stop(), gateway.stop()])
      await backing.drop()
    },
  }
}

async function answering(port: number) {
  for (let i = 0; i < 400; i++) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) return
    await pause(50)
  }
  throw new Error(`nothing answers at port ${port}`)
}

/** A proxy that is started with this configuration file. */
async function proxy(
  text: (port: number) => string,
  command: string,
  args: (file: string) => string[],
): Promise<Pick<Path, 'port' | 'pids' | 'close'>> {
  const port = await freePort()
  const file = join(folder, `proxy-${port}`)
  writeFileSync(file, text(port))
  const child = startChild(program(command), args(file), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  await answering(port)
  return { port, pids: [child.pid!], close: () => stopChild(child) }
}

/** The broadcaster behind a proxy. */
async function proxied(
  text: (port: number, upstream: number) => string,
  command: string,
  args: (file: string) => string[],
): Promise<Path> {
  const server = await broadcaster()
  const door = await proxy(port => text(port, server.port), command, args)
  return {
    port: door.port,
    post: frameTo(server.port),
    pids: [server.child.pid!, ...door.pids],
    close: () => Promise.all([door.close(), stopChild(server.child)]),
  }
}

const nginxFile = (body: string, modules = '') => `${modules}
daemon off; pid ${folder}/nginx-${performance.now()}.pid; error_log stderr error; worker_rlimit_nofile 20000;
events { worker_connections 10000; }
http { access_log off; ${body} }`

const CADDY_ARGS = (file: string) => ['run', '--adapter', 'caddyfile', '--config', file]
const portOf = ({ url }: RunningService) => Number(new URL(url).port)
const caddyTo = (upstream: number) => `127.0.0.1:${upstream} {
    flush_interval -1
    transport http {
      compression off
    }
  }`
const caddyFile = (port: number, routes: string) => `{
  admin off
  auto_https off
  log {
    level ERROR
  }
}
http://:${port} {
  ${routes}
}
`

const PATHS: Record<string, { needs?: () => boolean; open(): Promise<Path> }> = {
  'nchan alone': {
    needs: () => isInstalled('nginx') && existsSync(NCHAN_MODULE),
    async open() {
      const port = await freePort()
      const file = join(folder, 'nchan')
      const body = `nchan_message_buffer_length 5;
        server { listen 127.0.0.1:${port} backlog=4096;
          location = /pub { nchan_publisher; nchan_channel_id all; }
          location = /events { nchan_subscriber eventsource; nchan_channel_id all; }
          location / { return 200; } }`
      writeFileSync(file, nginxFile(body, `load_module ${NCHAN_MODULE}; worker_processes 1;`))
      const child = startChild(program('nginx'), ['-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
      await answering(port)
      return {
        port,
        post: mark => posted(`http://127.0.0.1:${port}/pub`, mark.padEnd(FRAME_BYTES - 60, 'x')),
        pids: [child.pid!],
        close: () => stopChild(child),
      }
    },
  },
  'the server alone': {
    async open() {
      const { port, child } = await broadcaster()
      return { port, post: frameTo(port), pids: [child.pid!], close: () => stopChild(child) }
    },
  },
  'npm start': {
    async open() {
      const server = await broadcaster()
      const pass = new SocketPass(server.child)
      const url = `http://127.0.0.1:${server.port}`
      const door = await openFrontDoor({
        api: () => [url],
        events: () => [url],
        passes: () => [pass],
        host: '127.0.0.1',
      })
      // The door runs in this process, which is counted as a whole; besides it only posts the messages.
      const pids = [server.child.pid!, process.pid]
      const close = () => Promise.all([door.close(), stopChild(server.child)])
      return { port: door.port, post: frameTo(server.port), pids, close }
    },
  },
  nginx: {
    needs: () => isInstalled('nginx'),
    open: () =>
      proxied(
        (port, upstream) =>
          nginxFile(
            `upstream events { server 127.0.0.1:${upstream}; keepalive 8; }
             server { listen 127.0.0.1:${port} backlog=4096; location / { proxy_pass http://events;
               proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; proxy_read_timeout 1h; } }`,
            'worker_processes auto;',
          ),
        'nginx',
        file => ['-c', file],
      ),
  },
  haproxy: {
    needs: () => isInstalled('haproxy'),
    open: () =>
      proxied(
        (port, upstream) => `global
  maxconn 5000
defaults
  mode http
  option http-no-delay
  timeout connect 1s
  timeout client 1h
  timeout server 1h
frontend f
  bind 127.0.0.1:${port} backlog 4096
  default_backend b
backend b
  server s 127.0.0.1:${upstream}
`,
        'haproxy',
        file => ['-db', '-f', file],
      ),
  },
  caddy: {
    needs: () => isInstalled('caddy'),
    open: () =>
      proxied((port, upstream) => caddyFile(port, `reverse_proxy ${caddyTo(upstream)}`), 'caddy', CADDY_ARGS),
  },
  'bothy, npm start': {
    open: () =>
      product(async (api, gateway) => {
        const door = await startFrontDoor([api], [gateway])
        return { port: door.port, pids: [process.pid], close: () => door.close() }
      }),
  },
  'bothy, caddy': {
    needs: () => isInstalled('caddy'),
    open: () =>
      product((api, gateway) => {
        const routes = `reverse_proxy /events ${caddyTo(portOf(gateway))}
  reverse_proxy ${caddyTo(portOf(api))}`
        return proxy(port => caddyFile(port, routes), 'caddy', CADDY_ARGS)
      }),
  },
}

/** User and system time of the processes and all their children, s. */
function cpuSeconds(pids: number[]): number {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
        return [
          { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) },
        ]
      } catch {
        return []
      }
    })
  const counted = new Set(pids)
  // The bench's other children are not on the path.
  for (const { pid, parent } of all) if (counted.has(parent) && parent !== process.pid) counted.add(pid)
  return all.filter(({ pid }) => counted.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / 100
}

async function measure(path: Path) {
  const readers = fork(join(import.meta.dirname, 'readers.ts'), { execArgv: [] })
  const tell = (ask: Ask) => readers.send(ask)
  const hear = async <K extends string>(key: K): Promise<Extract<Say, Record<K, unknown>>[K]> => {
    for (;;) {
      const [said] = (await once(readers, 'message')) as [Record<string, never>]
      if ('lost' in said) throw new Error(`${said['lost']} streams were lost`)
      if (key in said) return said[key]!
    }
  }

  tell({
    open: {
      host: '127.0.0.1',
      port: path.port,
      count: STREAMS,
      channel: 'general',
      cookies: path.cookies ?? [''],
    },
  })
  await hear('opened')
  const figures: { cpu: number; p50: number }[] = []
  for (const pace of PACES) {
    for (let i = 0; i < 3; i++) await Promise.all([hear('everywhere'), path.post(`~${i}~`)])
    tell({ forget: true })
    await hear('counts')
    await pause(500)
    const sentAt = new Map<string, number>()
    const times: number[] = []
    const onSaid = (said: Say) => {
      if ('everywhere' in said) times.push(said.everywhere.last - sentAt.get(said.everywhere.mark)!)
    }
    readers.on('message', onSaid)
    const count = Math.round(pace * SECONDS)
    const before = cpuSeconds(path.pids)
    const began = performance.now()
    for (let i = 0; i < count; i++) {
      const mark = `~${1_000 + i}~`
      sentAt.set(mark, performance.timeOrigin + performance.now())
      await path.post(mark)
      await pause(Math.max(0, began + ((i + 1) * 1_000) / pace - performance.now()))
    }
    while (times.length < count) await pause(50)
    const cpu = cpuSeconds(path.pids) - before
    readers.off('message', onSaid)
    tell({ forget: true })
    const { frames } = await hear('counts')
    figures.push({ cpu: (cpu / frames) * 1e6, p50: times.toSorted((a, b) => a - b)[times.length >> 1]! })
  }
  tell({ close: true })
  readers.disconnect()
  return figures
}

const wanted = process.argv[2] ?? ''
console.log(`CPU ms per 1,000 frames of ${FRAME_BYTES} bytes, ${STREAMS} streams; p50 of the last stream, ms`)
console.log(
  `${''.padEnd(20)}${PACES.map(pace => `${pace} a second`.padStart(16) + '× nchan'.padStart(9) + 'p50'.padStart(7)).join('')}`,
)
let reference: { cpu: number }[] | undefined
for (const [name, { needs, open }] of Object.entries(PATHS)) {
  if (needs && !needs()) {
    console.log(`${name.padEnd(20)} is not installed`)
    continue
  }
  if (!name.includes(wanted) && name !== 'nchan alone') continue
  const path = await open()
  const figures = await measure(path)
  await path.close()
  reference ??= name === 'nchan alone' ? figures : undefined
  const cells = figures.map(({ cpu, p50 }, i) => {
    const ratio = reference ? (cpu / reference[i]!.cpu).toFixed(2) : ''
    return cpu.toFixed(1).padStart(16) + ratio.padStart(9) + p50.toFixed(0).padStart(7)
  })
  console.log(name.padEnd(20) + cells.join(''))
}
remove()
await closeRunBacking()
