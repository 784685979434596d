import type { Server } from 'node:http'
import { type AddressInfo, Server as SocketServer } from 'node:net'
import { ConfigurationError, readHost } from './config.ts'
import { log } from './log.ts'
import { stopTracing } from './tracing.ts'
import { reportVariables } from './variable-names.ts'

/** A part of a process: started in the order given, stopped in reverse. */
export interface Part {
  name: string
  start?(): Promise<unknown> | unknown
  stop?(): Promise<unknown> | unknown
}

/** Milliseconds from SIGTERM to the end of a process at most (architecture 6). */
const STOP_WITHIN = 10_000

/**
 * Runs a process: starts its parts, waits for SIGTERM or SIGINT, stops them in reverse order, exits with 0. If a part
 * cannot start, stops the started ones and exits with 1.
 */
export async function run(parts: Part[]): Promise<void> {
  const started: Part[] = []
  let stopping: Promise<void> | undefined

  const stop = (code: number) => {
    stopping ??= (async () => {
      const late = setTimeout(() => {
        log.error('stopping took too long')
        process.exit(1)
      }, STOP_WITHIN)
      for (const part of started.reverse()) {
        try {
          await part.stop?.()
        } catch (err) {
          log.warn({ err, part: part.name }, 'part did not stop cleanly')
        }
      }
      await stopTracing()
      clearTimeout(late)
      log.info('stopped')
      process.exit(code)
    })()
    return stopping
  }

  process.once('SIGTERM', () => void stop(0))
  process.once('SIGINT', () => void stop(0))
  process.on('unhandledRejection', err => {
    log.error({ err }, 'unhandled rejection')
  })
  process.on('uncaughtException', err => {
    log.fatal({ err }, 'uncaught exception')
    void stop(1)
  })

  reportVariables()
  try {
    for (const part of parts) {
      if (stopping) return
      started.push(part)
      await part.start?.()
    }
    log.info('ready')
  } catch (err) {
    reportStart(err)
    await stop(1)
  }
}

/** Runs a step that comes before `run`. A failure is a single line of the log, and ends the process with 1. */
export async function orExit<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (err) {
    reportStart(err)
    process.exit(1)
  }
}

/** A mistake of the operator is told in words, without a stack. */
function reportStart(err: unknown) {
  if (err instanceof ConfigurationError) log.fatal({ faults: err.faults }, 'configuration not usable')
  else log.fatal({ err }, 'could not start')
}

/** Combines independent parts: they stop in parallel, so that their times do not add up. */
export function together(...parts: Part[]): Part {
  return {
    name: parts.map(part => part.name).join(', '),
    start: () => Promise.all(parts.map(part => part.start?.())),
    stop: () => Promise.all(parts.map(part => part.stop?.())),
  }
}

/**
 * Listen backlog, enough for all tabs that reconnect at once after a restart; the kernel caps it at net.core.somaxconn.
 */
const BACKLOG = 4_096

/** Message of a process to its parent, if there is a channel: its port, and the one in its environment. */
export interface Listening {
  listening: number
  wanted: number
}

/**
 * Signal before SIGTERM: accept no new connections, and end each one with its next response. A proxy that keeps connections
 * then never sends a request on one that closes at this moment. Earlier releases ignore this signal; infra/upgrade.sh
 * sends it to them too.
 */
const DRAIN = 'SIGURG'

/** Listens; on stop, accepts no new connections and waits for running requests. */
export function listener(server: Server, port: number, host = readHost()): Part {
  const drain = () => {
    server.prependListener('request', (_, res) => void res.setHeader('Connection', 'close'))
    // That of an HTTP server also closes idle connections.
    SocketServer.prototype.close.call(server)
  }
  process.once(DRAIN, drain)
  return {
    name: 'listener',
    start: () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject)
          const { port: taken } = server.address() as AddressInfo
          log.info({ port: taken }, 'listening')
          // A parent cannot know a free port in advance: another process may take it first.
          if (process.connected) process.send?.({ listening: taken, wanted: port } satisfies Listening)
          resolve()
        })
      }),
    stop: () =>
      new Promise<void>(resolve => {
        process.off(DRAIN, drain)
        // Busy connections become idle after their response: repeat until none is left.
        const sweep = setInterval(() => server.closeIdleConnections(), 100)
        server.close(() => {
          clearInterval(sweep)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
