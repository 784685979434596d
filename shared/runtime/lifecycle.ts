import type { Server, ServerResponse } from 'node:http'
import { type AddressInfo, Server as SocketServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigurationError, readHost } from './config.ts'
import { listenFault } from './listen-fault.ts'
import { log } from './log.ts'
import { reportVariables } from './variable-names.ts'

/** A part of a process: started in the order given, stopped in reverse. */
export interface Part {
  name: string
  start?(): Promise<unknown> | unknown
  /** Takes no new work; settles when the work that was begun is done, or never. */
  drain?(): Promise<unknown>
  stop?(): Promise<unknown> | unknown
}

/** Milliseconds from SIGTERM to the end of a process at most (architecture 6). */
const STOP_WITHIN = 10_000

/**
 * Stop signal of the image. The parts first drain: a proxy that keeps connections then never sends a request on one that
 * closes at this moment. With SIGTERM they stop at once.
 */
const DRAIN_AND_STOP = 'SIGQUIT'
/** Milliseconds for draining at most; longer than a proxy keeps an idle connection (infra/Caddyfile). */
const DRAIN_WITHIN = 3_000

/**
 * Runs a process: starts its parts, waits for SIGTERM, SIGINT or SIGQUIT, stops them in reverse order, exits with 0. If a
 * part cannot start, stops the started ones and exits with 1.
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
      clearTimeout(late)
      log.info('stopped')
      process.exit(code)
    })()
    return stopping
  }

  process.once('SIGTERM', () => void stop(0))
  process.once('SIGINT', () => void stop(0))
  process.once(DRAIN_AND_STOP, async () => {
    const drained = Promise.all(started.map(part => part.drain?.()))
    await Promise.race([drained, pause(DRAIN_WITHIN)])
    await stop(0)
  })
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
    drain: () => Promise.all(parts.map(part => part.drain?.())),
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
 * Listens. On drain, accepts no new connections and ends each one with its next response, or when the client closes it. On
 * stop, closes idle connections too, and waits for running requests.
 */
export function listener(
  server: Server,
  port: number,
  host = readHost(),
  variable: 'PORT' | 'METRICS_PORT' = 'PORT',
): Part {
  const inProgress = new Set<ServerResponse>()
  let isDraining = false
  server.prependListener('request', (_, res) => {
    res.shouldKeepAlive &&= !isDraining
    inProgress.add(res)
    res.once('close', () => inProgress.delete(res))
  })
  return {
    name: 'listener',
    start: () =>
      new Promise<void>((resolve, reject) => {
        const failed = (err: Error) => reject(listenFault(err, { port, host, variable }) ?? err)
        server.once('error', failed)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', failed)
          const { port: taken } = server.address() as AddressInfo
          log.info({ port: taken }, 'listening')
          // A parent cannot know a free port in advance: another process may take it first.
          if (process.connected) process.send?.({ listening: taken, wanted: port } satisfies Listening)
          resolve()
        })
      }),
    drain: () =>
      new Promise<void>(resolve => {
        isDraining = true
        for (const res of inProgress) res.shouldKeepAlive = false
        // Directly after new connections were accepted: those that wait in the backlog would be reset. The function of an
        // HTTP server would also close idle connections.
        setImmediate(() => SocketServer.prototype.close.call(server, () => resolve()))
      }),
    stop: () =>
      new Promise<void>(resolve => {
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
