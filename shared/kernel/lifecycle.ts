import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readHost } from './config.ts'
import { log } from './log.ts'

/** A part of a process: started in the order given, stopped in reverse. */
export interface Part {
  name: string
  start?(): Promise<unknown> | unknown
  stop?(): Promise<unknown> | unknown
}

/** How long a process may take from SIGTERM to its end (architecture 6). */
const STOP_WITHIN = 10_000

/**
 * The life of a process: starts its parts, stays until SIGTERM or SIGINT, stops them in reverse, ends with 0.
 * A part that cannot start ends the process with 1, after what had started was stopped.
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
  process.on('unhandledRejection', err => {
    log.error({ err }, 'unhandled rejection')
  })
  process.on('uncaughtException', err => {
    log.fatal({ err }, 'uncaught exception')
    void stop(1)
  })

  try {
    for (const part of parts) {
      if (stopping) return
      started.push(part)
      await part.start?.()
    }
    log.info('ready')
  } catch (err) {
    log.fatal({ err }, 'could not start')
    await stop(1)
  }
}

/** Parts that do not lean on each other: they stop side by side, so that their times do not add up. */
export function together(...parts: Part[]): Part {
  return {
    name: parts.map(part => part.name).join(', '),
    start: () => Promise.all(parts.map(part => part.start?.())),
    stop: () => Promise.all(parts.map(part => part.stop?.())),
  }
}

/**
 * Connections that the kernel keeps until they are accepted, of all tabs that come back at once after a restart; it caps
 * the number at its own limit (net.core.somaxconn).
 */
const BACKLOG = 4_096

/** Listens; when stopped, takes nothing new and waits for what runs. */
export function listener(server: Server, port: number, host = readHost()): Part {
  return {
    name: 'listener',
    start: () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject)
          log.info({ port: (server.address() as AddressInfo).port }, 'listening')
          resolve()
        })
      }),
    stop: () =>
      new Promise<void>(resolve => {
        // A connection that is busy now is idle when its answer is out: asked again until none is left.
        const sweep = setInterval(() => server.closeIdleConnections(), 100)
        server.close(() => {
          clearInterval(sweep)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
