/**
 * Measures binding requests per second of the STUN responder and their CPU, compared with coturn.
 *
 *   node infra/bench/stun.ts [seconds per round, default 4]
 *
 * coturn (`apt-get install coturn`) gets the same requests on another port of 127.0.0.1; without it only our figures
 * are printed. Rounds alternate, so that other load falls on both. Each client keeps a fixed number of requests in
 * flight; lost ones are sent again. The first response is checked byte by byte, the others are counted.
 */
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '#shared/test-kit/processes.ts'
import { startChild, stopChild } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'

const SECONDS = Number(process.argv[2] ?? 4)
const ROUNDS = 3
const SOCKETS = 4
const ON_THE_WAY = 32
/** Time after which a request is sent again, ms: longer than a response takes on a busy machine. */
const LOST_AFTER = 200
const REQUEST = Buffer.from('000100002112a442b7e7a701bc34d686fa87dfae', 'hex')

interface Server {
  name: string
  port: number
  pid: number
  stop(): Promise<unknown>
}

interface Round {
  perSecond: number
  cpuPer100k: number
  lost: number
}

const folder = mkdtempSync(join(tmpdir(), 'bothy-bench-'))
const servers: Server[] = [await ours(1), await ours(2)]
const coturn = await reference()
if (coturn) servers.push(coturn)
else console.log('coturn is not here (apt-get install coturn): our own figures only')

const rounds = new Map<Server, Round[]>(servers.map(server => [server, []]))
for (const server of servers) await round(server, 1)
for (let i = 0; i < ROUNDS; i++) {
  for (const server of servers) rounds.get(server)!.push(await round(server, SECONDS))
}
for (const [{ name }, all] of rounds) {
  const lost = all.reduce((sum, one) => sum + one.lost, 0)
  console.log(
    `${name.padEnd(18)} ${Math.round(median(all.map(one => one.perSecond)))} /s   ` +
      `${median(all.map(one => one.cpuPer100k)).toFixed(2)} s CPU per 100,000   ${lost} lost`,
  )
}
if (coturn) {
  for (const server of servers.slice(0, 2)) {
    const ratio = (of: (one: Round) => number) =>
      (median(rounds.get(server)!.map(of)) / median(rounds.get(coturn)!.map(of))).toFixed(2)
    console.log(
      `${server.name} beside coturn: ${ratio(one => one.perSecond)} × the requests, ` +
        `${ratio(one => one.cpuPer100k)} × the CPU a request`,
    )
  }
}
for (const server of servers) await server.stop()
rmSync(folder, { recursive: true })

async function ours(workers: number): Promise<Server> {
  const settings = join(folder, 'settings.json')
  // Off: the rate limit of an address is far below the measured rate.
  writeFileSync(settings, JSON.stringify({ rate_limit_enabled: false }))
  const port = await freePort()
  const service = await startService('stun', {
    SETTINGS_FILE: settings,
    STUN_PORT: String(port),
    STUN_BIND: '127.0.0.1',
    STUN_WORKERS: String(workers),
    LOG_LEVEL: 'warn',
  })
  return {
    name: workers === 1 ? 'ours' : `ours, ${workers} workers`,
    port,
    pid: service.pid,
    stop: service.stop,
  }
}

async function reference(): Promise<Server | undefined> {
  if (spawnSync('turnserver', ['--version']).error) return undefined
  const port = await freePort()
  const child = startChild('turnserver', [
    ...['--stun-only', '--no-auth', '--no-cli', '--no-tls', '--no-dtls', '--no-tcp', '--no-rfc5780'],
    // The same response as ours: only XOR-MAPPED-ADDRESS.
    ...['--no-stun-backward-compatibility', '--response-origin-only-with-rfc5780'],
    ...['--no-software-attribute', '--listening-ip=127.0.0.1', `--listening-port=${port}`],
    ...['--log-file=/dev/null', `--pidfile=${join(folder, 'turnserver.pid')}`, '-c', '/dev/null'],
  ])
  return { name: 'coturn', port, pid: child.pid!, stop: () => stopChild(child) }
}

/** Measures for `seconds` with all requests in flight. */
async function round({ port, pid, name }: Server, seconds: number): Promise<Round> {
  await answersRightly(name, port)
  const until = performance.now() + seconds * 1_000
  const [since, cpu] = [performance.now(), cpuSeconds(pid)]
  const counts = await Promise.all(Array.from({ length: SOCKETS }, () => client(port, until)))
  const answers = counts.reduce((sum, count) => sum + count.answers, 0)
  return {
    perSecond: answers / ((performance.now() - since) / 1_000),
    cpuPer100k: ((cpuSeconds(pid) - cpu) / answers) * 100_000,
    lost: counts.reduce((sum, count) => sum + count.lost, 0),
  }
}

async function client(port: number, until: number) {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1024 * 1024 })
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let answers = 0
  let lost = 0
  let heard = performance.now()
  const fill = () => {
    for (let i = 0; i < ON_THE_WAY; i++) socket.send(REQUEST)
  }
  socket.on('error', () => {})
  socket.on('message', () => {
    answers++
    heard = performance.now()
    if (heard < until) socket.send(REQUEST)
  })
  fill()
  await new Promise<void>(resolve => {
    const timer = setInterval(() => {
      if (performance.now() >= until) {
        clearInterval(timer)
        resolve()
      } else if (performance.now() - heard > LOST_AFTER) {
        lost += ON_THE_WAY
        fill()
      }
    }, 50)
  })
  socket.close()
  return { answers, lost }
}

/** Throws unless the server sends the expected response, so that the figures compare the same thing. */
async function answersRightly(name: string, port: number) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const expected = Buffer.from(`0101000c2112a442b7e7a701bc34d686fa87dfae002000080001`, 'hex')
  try {
    for (const end = Date.now() + 5_000; ; ) {
      socket.send(REQUEST, port, '127.0.0.1')
      const [answer] = await once(socket, 'message', { signal: AbortSignal.timeout(300) }).catch(() => [])
      if (answer?.subarray(0, expected.length).equals(expected)) return
      if (answer) throw new Error(`${name} answers ${answer.toString('hex')}`)
      if (Date.now() > end) throw new Error(`${name} does not answer`)
    }
  } finally {
    socket.close()
  }
}

/** User and system time of a process and its children (proc(5), stat 14 and 15), s. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const own = (Number(fields[11]) + Number(fields[12])) / 100
  const children = readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
  return children.reduce((sum, child) => sum + cpuSeconds(child), own)
}

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
