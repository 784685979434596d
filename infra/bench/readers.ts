/**
 * Many tabs in a process of their own, so that their CPU is counted apart from the server's. The parent sends the
 * streams to open; this process reports when a frame has reached the last tab. Works on bytes: a parser for each tab
 * would be most of the cost.
 */
import { connect, type Socket } from 'node:net'

/** Messages from the parent. */
export type Ask =
  | {
      open: {
        host: string
        port: number
        count: number
        channel: string
        cookies: string[]
        /** Further query parameters, such as `with=presence`. */
        query?: string
        /** Further header lines. Compressed streams are only counted in bytes. */
        headers?: string
      }
    }
  | { forget: true }
  | { close: true }

/** Messages to the parent. `last` is on the monotonic clock of the machine. */
export type Say =
  | { opened: number }
  | { counts: { frames: number; bytes: number; perEvent: Record<string, number> } }
  | { everywhere: { mark: string; last: number } }
  | { lost: number }

const AT_ONCE = 100
const MARK = /~\d+~/g
const EVENT = /event: ([a-z_]+)\n/g

const sockets = new Set<Socket>()
let expected = 0
let counts = { frames: 0, bytes: 0, perEvent: {} as Record<string, number> }
const arrivals = new Map<string, number>()

process.on('message', (ask: Ask) => {
  if ('open' in ask) void open(ask.open)
  else if ('forget' in ask) {
    say({ counts })
    counts = { frames: 0, bytes: 0, perEvent: {} }
  } else {
    expected = 0
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
})
process.on('disconnect', () => process.exit())

async function open({
  host,
  port,
  count,
  channel,
  cookies,
  query,
  headers,
}: Extract<Ask, { open: object }>['open']) {
  expected = count
  for (let i = 0; i < count; i += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - i) }, (_, j) => i + j)
    await Promise.all(
      some.map(n =>
        openOne(
          host,
          port,
          `channel=${channel}${query?.includes('after=') ? '' : '&after=0'}${query ? `&${query}` : ''}`,
          cookies[n % cookies.length] ?? '',
          headers,
        ),
      ),
    )
  }
  say({ opened: count })
}

function openOne(host: string, port: number, query: string, cookie: string, headers = '') {
  return new Promise<void>((resolve, reject) => {
    const socket = connect(port, host)
    socket.setEncoding('latin1')
    socket.write(
      `GET /events?${query} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nCookie: ${cookie}\r\n${headers}\r\n`,
    )
    let rest = ''
    socket.on('data', (text: unknown) => {
      counts.bytes += (text as string).length
      rest += text
      const end = rest.lastIndexOf('\n\n')
      if (end >= 0) take(rest.slice(0, end))
      rest = rest.slice(Math.max(0, end))
      resolve()
    })
    socket.once('error', reject)
    socket.once('close', () => {
      sockets.delete(socket)
      if (expected > 0) say({ lost: expected - sockets.size })
    })
    sockets.add(socket)
  })
}

function take(text: string) {
  for (const [, event] of text.matchAll(EVENT)) {
    counts.frames++
    counts.perEvent[event!] = (counts.perEvent[event!] ?? 0) + 1
  }
  for (const [mark] of text.matchAll(MARK)) {
    const arrived = (arrivals.get(mark) ?? 0) + 1
    arrivals.set(mark, arrived)
    if (arrived === expected) {
      say({ everywhere: { mark, last: performance.timeOrigin + performance.now() } })
      arrivals.delete(mark)
    }
  }
}

function say(what: Say) {
  process.send?.(what)
}
