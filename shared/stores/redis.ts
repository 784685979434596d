import { Redis, type RedisOptions } from 'ioredis'
import type { Milliseconds } from '#shared/domain/units.ts'
import { ConfigurationError } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { sentinelsOf } from '#shared/runtime/redis-url.ts'
import { outages } from './outages.ts'

/** Time-out of commands during a request. */
const ANSWERS_WITHIN: Milliseconds = 400
/** After a time-out, commands fail at once for this long. */
const SKIPPED_FOR: Milliseconds = 1_000
/** A connection with a waiting command and no data for this long is replaced. */
const SILENT_REQUESTS: Milliseconds = 2_000
/** Longer than blocking reads: five seconds, BullMQ's ten at most. */
const SILENT_WAITS: Milliseconds = 15_000

const COMMON = { retryStrategy: backOff, connectTimeout: 5_000, lazyConnect: true }

/**
 * For requests: commands return or fail fast. While Redis is down they fail at once instead of queueing, so that no
 * request waits (security 13).
 */
export function openRedis(redisUrl: string): Redis {
  return watched(
    connection(ImpatientRedis, redisUrl, {
      ...COMMON,
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: ANSWERS_WITHIN,
      socketTimeout: SILENT_REQUESTS,
    }),
    'requests',
  )
}

/** For blocking reads, without a command time-out. */
export function openBlockingRedis(redisUrl: string): Redis {
  return watched(
    connection(Redis, redisUrl, {
      ...COMMON,
      maxRetriesPerRequest: null,
      enableOfflineQueue: false,
      socketTimeout: SILENT_WAITS,
    }),
    'blocking reads',
  )
}

/** For queue workers: commands wait until Redis is back, because no request waits for a worker. */
export function openWorkerRedis(redisUrl: string): Redis {
  return watched(
    connection(Redis, redisUrl, { ...COMMON, maxRetriesPerRequest: null, socketTimeout: SILENT_WAITS }),
    'queues',
  )
}

/** A sentinel that does not answer within this is passed over. */
const SENTINEL_ANSWERS_WITHIN: Milliseconds = 1_000

/**
 * Connects to the server of the address, or to the primary that its sentinels name at that time: after a failover every
 * connection asks them again.
 */
function connection(Kind: typeof Redis, redisUrl: string, options: RedisOptions): Redis {
  const { isEncrypted, ...sentinels } = sentinelsOf(redisUrl) ?? { isEncrypted: false, sentinels: undefined }
  if (sentinels.sentinels === undefined) return new Kind(redisUrl, options)
  const redis = new Kind({
    ...options,
    ...sentinels,
    connectTimeout: SENTINEL_ANSWERS_WITHIN,
    sentinelCommandTimeout: SENTINEL_ANSWERS_WITHIN,
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    // A former primary that the sentinels demoted: the next connection leads to its successor.
    reconnectOnError: err => err.message.startsWith('READONLY'),
  })
  tellOfSentinels(redis)
  return redis
}

/** ioredis drops the errors of connections to sentinels, such as a certificate that is not trusted. */
function tellOfSentinels(redis: Redis) {
  const { connector } = redis as unknown as { connector: { connectToSentinel(...args: unknown[]): Redis } }
  const connect = connector.connectToSentinel.bind(connector)
  connector.connectToSentinel = (...args) => {
    const client = connect(...args)
    client.on('error', err => redis.emit('sentinelError', err))
    return client
  }
}

/** Where a connection leads, in words. */
function placeOf({ options: { host, port, sentinels, name } }: Redis): string {
  if (!sentinels) return `${host}:${port}`
  return `${sentinels.map(each => `${each.host}:${each.port}`).join(',')} (primary ${name})`
}

/**
 * Fails commands at once for a second after a time-out, so that the waits of a request's commands do not add up
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

  /** Ignores time-outs of a busy process: replies that arrived meanwhile are read only after the timers have run. */
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

function watched(redis: Redis, purpose: 'requests' | 'blocking reads' | 'queues') {
  redis.on('error', err => outages.redis.noteFailure(err, { purpose }))
  const forget = outages.redis.addProbe(async () => {
    if (redis.status === 'end') forget()
    else if (redis.status === 'wait') return
    // A command of the others would wait for a blocking read, or for Redis.
    else if (purpose === 'requests') await redis.ping()
    else if (redis.status !== 'ready') throw new Error('not connected')
  })
  return redis
}

/** Waits for the first connection, with a line in the log from time to time. Refuses a sentinel and a cluster. */
export async function connectRedis(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') {
    const done = tellWaiting(redis)
    if (redis.status === 'wait') redis.connect().catch(() => {})
    await new Promise<void>(resolve => redis.once('ready', () => resolve()))
    done()
  }
  await refuseOtherModes(redis)
}

const FIRST_WORD: Milliseconds = 3_000
const NEXT_WORDS: Milliseconds = 30_000

function tellWaiting(redis: Redis) {
  let reason: string | undefined
  const note = (err: Error) => {
    // Follows an error of each sentinel, which says more.
    if (/^All sentinels are unreachable/.test(err.message)) return
    if (reason === undefined || !/because Connection is closed\.$/.test(err.message)) reason = err.message
  }
  const tell = () => {
    log.warn(
      { reason, next: 'Look at REDIS_URL, and at the log of Redis.' },
      `waiting for Redis at ${placeOf(redis)}`,
    )
    timer = setTimeout(tell, NEXT_WORDS)
  }
  let timer = setTimeout(tell, FIRST_WORD)
  redis.on('error', note)
  // An unknown name of the primary, for example.
  redis.on('sentinelError', note)
  return () => {
    clearTimeout(timer)
    redis.off('error', note)
    redis.off('sentinelError', note)
  }
}

/** A sentinel itself has no data, and a cluster refuses scripts whose keys are on several nodes. */
async function refuseOtherModes(redis: Redis) {
  // Away again, or a user without this right.
  const info = await redis.info('server').catch(() => '')
  const [, mode] = /^redis_mode:(\w+)/m.exec(info) ?? []
  if (mode !== 'sentinel' && mode !== 'cluster') return
  const place = placeOf(redis)
  throw new ConfigurationError([
    mode === 'sentinel'
      ? {
          found: `REDIS_URL: ${place} is a Redis Sentinel.`,
          next: `Name it as redis+sentinel://${place}/name, with its name of the primary.`,
        }
      : {
          found: `REDIS_URL: ${place} is a node of a Redis Cluster, which is not supported.`,
          next: 'Name a single Redis server or its sentinels.',
        },
  ])
}

/** True if Redis is down, late, or cannot serve commands now: a 503, not a 500. */
export function isRedisAway(err: unknown): boolean {
  const {
    name = '',
    message = '',
    code = '',
    previousErrors,
  } = (err ?? {}) as { name?: string; message?: string; code?: string; previousErrors?: unknown[] }
  // A transaction fails because of its commands' errors.
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
 * Error replies of a server that cannot serve now: disk or memory full, replica, starting, blocked by a script, too
 * many clients. Script errors contain the reply after a prefix.
 */
const UNABLE =
  /(^|-| )(MISCONF|OOM|READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|TRYAGAIN|BUSY|UNBLOCKED|NOAUTH|WRONGPASS) |max number of clients reached/
