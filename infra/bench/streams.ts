/**
 * Many streams on a channel with a writer: measures the time of a message to the last stream, CPU per frame, memory of
 * an idle stream, and statements per message; compared with a minimal event stream server (broadcaster.ts), with the
 * same readers, number of streams and frame size.
 *
 *   node infra/bench/streams.ts [streams … default 1000 5000]
 *
 * All streams are in a reader process, to count the CPU of the server apart. The writer uses an api process.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { startChild, stopChild } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'
import { countingProxy } from './counting-proxy.ts'
import { inspectedAt, residentBytes } from './live-memory.ts'
import type { Ask, Say } from './readers.ts'

const SIZES = process.argv.slice(2).map(Number)
const USERS = 300
const MESSAGES = 30
/** Time between two messages, ms: longer than any minimum interval, so that each message is a frame of its own. */
const PACE = 1_200
/** Idle phase, ms: as long as a round of the gateway's periodic looks. */
const IDLE = 25_000
const TEXT = 'a message of the usual length, said in passing, in a channel that many look at'

interface Server {
  pid: number
  url: string
  /** Number of statements sent to the database. */
  statements(): number
  /** Port of its inspector, to collect garbage before its memory is measured. */
  inspector: number
}

const backing = await testBacking()
const env = { ...backing.env, LOG_LEVEL: 'error' }
const api = await startService('api', env, { checked: false })
const people = await signUpAll()
const writer = people[0]!

for (const size of SIZES.length > 0 ? SIZES : [1_000, 5_000]) {
  const gateway = await measureGateway(size)
  const bare = await measureBroadcaster(size, gateway.bytesPerFrame, gateway.framesPerMessage)
  report(size, gateway, bare)
}

await api.stop()
await backing.drop()
await closeRunBacking()

interface Figures {
  latencies: number[]
  cpuPerThousand: number
  bytesPerFrame: number
  framesPerMessage: number
  idleBytes: number
  idleCpu: number
  perEvent: Record<string, number>
  /** In excess of those of an idle gateway. */
  statements: number
  idleStatements: number
}

async function measureGateway(size: number): Promise<Figures> {
  const inspector = await freePort()
  const proxy = await countingProxy(backing.env.DATABASE_URL)
  const service = await startService(
    'events',
    { ...env, ...inspectedAt(inspector), DATABASE_URL: proxy.url },
    { checked: false },
  )
  const cookies = people.map(person => person.cookie)
  const figures = await measure(
    { ...service, inspector, statements: proxy.statements },
    size,
    cookies,
    mark => writer.send('general', `${mark} ${TEXT}`),
  )
  await service.stop()
  proxy.close()
  return figures
}

async function measureBroadcaster(size: number, bytes: number, framesPerMessage: number): Promise<Figures> {
  const [port, inspector] = [await freePort(), await freePort()]
  const child = startChild(process.execPath, [join(import.meta.dirname, 'broadcaster.ts')], {
    env: { ...process.env, ...inspectedAt(inspector), PORT: String(port) },
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => undefined))) await pause(50)
  const post = (body: string) =>
    fetch(`${url}/frames`, { method: 'POST', body }).then(answer => answer.text())
  const server = { pid: child.pid!, url, inspector, statements: () => 0 }
  const figures = await measure(server, size, [''], async mark => {
    for (let i = 0; i < Math.round(framesPerMessage); i++) {
      const head = `event: messages\ndata: ${i === 0 ? mark : ''}`
      await post(`${head.padEnd(Math.round(bytes) - 2, 'x')}\n\n`)
    }
  })
  await stopChild(child)
  return figures
}

async function measure(
  { pid, url, inspector, statements }: Server,
  size: number,
  cookies: string[],
  send: (mark: string) => Promise<unknown>,
): Promise<Figures> {
  const readers = fork(join(import.meta.dirname, 'readers.ts'), { execArgv: [] })
  const tell = (ask: Ask) => readers.send(ask)
  const hear = async <K extends string>(key: K): Promise<Extract<Say, Record<K, unknown>>[K]> => {
    for (;;) {
      const [said] = (await once(readers, 'message')) as [Record<string, never>]
      if ('lost' in said) throw new Error(`${said['lost']} streams were lost`)
      if (key in said) return said[key]!
    }
  }
  const { hostname, port } = new URL(url)
  const open = async (count: number) => {
    tell({ open: { host: hostname, port: Number(port), count, channel: 'general', cookies } })
    await hear('opened')
    await pause(1_500)
  }

  // Warm-up: loading and compiling code is not part of the memory of a stream.
  await open(100)
  tell({ close: true })
  await pause(500)
  const before = await residentBytes(pid, inspector)
  await open(size)

  const idle = await during(async () => void (await pause(IDLE)))
  const idleBytes = ((await residentBytes(pid, inspector)) - before) / size

  // Warm-up.
  for (let i = 0; i < 3; i++) {
    await Promise.all([send(`~${i}~`), hear('everywhere'), pause(PACE)])
  }
  tell({ forget: true })
  await hear('counts')
  const latencies: number[] = []
  const busy = await during(async () => {
    for (let i = 0; i < MESSAGES; i++) {
      const sent = performance.timeOrigin + performance.now()
      const [, { last }] = await Promise.all([send(`~${1_000 + i}~`), hear('everywhere'), pause(PACE)])
      latencies.push(last - sent)
    }
  })
  tell({ forget: true })
  const counts = await hear('counts')
  tell({ close: true })
  readers.disconnect()
  return {
    latencies: latencies.toSorted((a, b) => a - b),
    cpuPerThousand: (((busy.cpu - idle.cpu) * busy.seconds) / counts.frames) * 1_000,
    bytesPerFrame: counts.bytes / counts.frames,
    framesPerMessage: counts.frames / MESSAGES / size,
    idleBytes,
    idleCpu: idle.cpu,
    perEvent: Object.fromEntries(
      Object.entries(counts.perEvent).map(([event, count]) => [event, count / MESSAGES / size]),
    ),
    statements: ((busy.statements - idle.statements) * busy.seconds) / MESSAGES,
    idleStatements: idle.statements,
  }

  /** CPU and statements per second during `doing`. */
  async function during(doing: () => Promise<void>) {
    const [since, cpu, asked] = [performance.now(), cpuSeconds(pid), statements()]
    await doing()
    const seconds = (performance.now() - since) / 1_000
    return { seconds, cpu: (cpuSeconds(pid) - cpu) / seconds, statements: (statements() - asked) / seconds }
  }
}

/** Each person has several tabs. */
async function signUpAll(): Promise<Person[]> {
  const all: Person[] = []
  for (let i = 0; i < USERS; i++) all.push(await new Person(`reader-${i}`, api.url).signUp())
  return all
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function report(size: number, gateway: Figures, bare: Figures) {
  const at = (values: number[], part: number) =>
    values[Math.min(values.length - 1, Math.floor(values.length * part))]!
  const line = (name: string, figure: (of: Figures) => string) =>
    console.log(`  ${name.padEnd(40)} ${figure(gateway).padStart(12)} ${figure(bare).padStart(12)}`)
  console.log(`\n${size} streams of ${USERS} people${' '.repeat(22)}gateway  broadcaster`)
  line('to the last stream, p50, ms', of => at(of.latencies, 0.5).toFixed(0))
  line('to the last stream, p95, ms', of => at(of.latencies, 0.95).toFixed(0))
  line('frames a message and stream', of => of.framesPerMessage.toFixed(2))
  line('bytes a frame', of => of.bytesPerFrame.toFixed(0))
  line('server CPU per 1,000 frames, ms', of => (of.cpuPerThousand * 1_000).toFixed(2))
  line('memory an idle stream, KB', of => (of.idleBytes / 1024).toFixed(1))
  line('CPU while idle, % of a core', of => (of.idleCpu * 100).toFixed(1))
  line('statements a message', of => of.statements.toFixed(1))
  line('statements a second while idle', of => of.idleStatements.toFixed(1))
  console.log(`  CPU a frame: ${(gateway.cpuPerThousand / bare.cpuPerThousand).toFixed(2)} × the broadcaster`)
  console.log(`  frames a message and stream: ${JSON.stringify(gateway.perEvent)}`)
}
