import { Redis } from 'ioredis'
import { log } from '#shared/kernel/log.ts'
import type { Milliseconds } from '#shared/rules/units.ts'

/** How long a command of a request may take. */
const ANSWERS_WITHIN: Milliseconds = 400
/** How long requests do without Redis after a command that took longer. */
const SKIPPED_FOR: Milliseconds = 1_000
/** A connection on which a command waits and nothing comes is dropped, and opened anew. */
const SILENT_REQUESTS: Milliseconds = 2_000
/** Blocking reads wait for five seconds, those of BullMQ for ten at most. */
const SILENT_WAITS: Milliseconds = 15_000

const COMMON = { retryStrategy: backOff, connectTimeout: 5_000, lazyConnect: true }

/**
 * For requests: answers or fails fast. While Redis is away a command fails at once instead of queueing,
 * so that no request waits for it (security 13).
 */
export function openRedis(redisUrl: string): Redis {
  return watched(
    new ImpatientRedis(redisUrl, {
      ...COMMON,
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: ANSWERS_WITHIN,
      socketTimeout: SILENT_REQUESTS,
    }),
    'requests',
  )
}

/** For blocking reads, which may take as long as they like. */
export function openBlockingRedis(redisUrl: string): Redis {
  return watched(
    new Redis(redisUrl, {
      ...COMMON,
      maxRetriesPerRequest: null,
      enableOfflineQueue: false,
      socketTimeout: SILENT_WAITS,
    }),
    'blocking reads',
  )
}

/** For workers of queues: a command waits until Redis is back, because nobody waits for the worker. */
export function openWorkerRedis(redisUrl: string): Redis {
  return watched(
    new Redis(redisUrl, { ...COMMON, maxRetriesPerRequest: null, socketTimeout: SILENT_WAITS }),
    'queues',
  )
}

/**
 * After a time-out, commands fail at once for a second: the several commands of one request must not add up their waits
 * (security 13).
 */
class ImpatientRedis extends Redis {
  #skipped: { connection: Redis['stream']; until: Milliseconds } | undefined

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>) {
    if (this.#isSkipped()) {
      command.reject(new Error('Redis skipped after a time-out'))
      return command.promise
    }
    command.promise.catch((err: unknown) => {
      if (/^Command timed out/.test(String((err as Error | undefined)?.message))) this.#noteTimeOut()
    })
    return super.sendCommand(command, stream)
  }

  #isSkipped() {
    const skipped = this.#skipped
    return skipped !== undefined && skipped.connection === this.stream && performance.now() < skipped.until
  }

  /** Replies that came while this process was busy are read after its timers have run: then Redis is not to blame. */
  #noteTimeOut() {
    const connection = this.stream
    const { bytesRead } = connection
    setImmediate(() => {
      if (connection.bytesRead > bytesRead) return
      this.#skipped = { connection, until: performance.now() + SKIPPED_FOR }
    })
  }
}

function backOff(attempt: number): Milliseconds {
  return Math.min(50 * 2 ** attempt, 2_000)
}

function watched(redis: Redis, purpose: string) {
  let down = false
  redis.on('error', err => {
    if (!down) log.warn({ err, purpose }, 'redis away')
    down = true
  })
  redis.on('ready', () => {
    if (down) log.info({ purpose }, 'redis back')
    down = false
  })
  return redis
}

/** The first connection, tried until it stands. */
export async function connectRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  if (redis.status === 'wait') redis.connect().catch(() => {})
  await new Promise<void>(resolve => redis.once('ready', () => resolve()))
}

/** `err` says that Redis is away, late, or refuses commands for reasons of its own: worth a 503, not a 500. */
export function isRedisAway(err: unknown): boolean {
  const {
    name = '',
    message = '',
    code = '',
    previousErrors,
  } = (err ?? {}) as { name?: string; message?: string; code?: string; previousErrors?: unknown[] }
  // A transaction is refused because of the refusal of its commands.
  if (message.startsWith('EXECABORT')) return previousErrors?.some(isRedisAway) ?? false
  return (
    name === 'MaxRetriesPerRequestError' ||
    /Command timed out|Redis skipped|Socket timeout|Stream isn't writeable|Connection is closed|enableOfflineQueue/.test(
      message,
    ) ||
    UNABLE.test(message) ||
    (/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/.test(code) && /6379|redis/i.test(message))
  )
}

/**
 * Replies of a server that cannot serve now: its disk or memory is full, it is a replica, it is starting, a script holds
 * it, it has too many clients. A script repeats the reply behind its own words.
 */
const UNABLE =
  /(^|-| )(MISCONF|OOM|READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|TRYAGAIN|BUSY|UNBLOCKED|NOAUTH|WRONGPASS) |max number of clients reached/
