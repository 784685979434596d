import { Redis } from 'ioredis'
import { log } from '#shared/kernel/log.ts'

/**
 * For requests: answers or fails fast. While Redis is away a command fails at once instead of queueing,
 * so that no request waits for it (security 13).
 */
export function openRedis(redisUrl: string): Redis {
  return watched(
    new Redis(redisUrl, {
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: 400,
      retryStrategy: backOff,
      lazyConnect: true,
    }),
    'requests',
  )
}

/** For blocking reads, which may take as long as they like. */
export function openBlockingRedis(redisUrl: string): Redis {
  return watched(
    new Redis(redisUrl, {
      maxRetriesPerRequest: null,
      enableOfflineQueue: false,
      retryStrategy: backOff,
      lazyConnect: true,
    }),
    'blocking reads',
  )
}

/** For workers of queues: a command waits until Redis is back, because nobody waits for the worker. */
export function openWorkerRedis(redisUrl: string): Redis {
  return watched(
    new Redis(redisUrl, { maxRetriesPerRequest: null, retryStrategy: backOff, lazyConnect: true }),
    'queues',
  )
}

const backOff = (attempt: number) => Math.min(50 * 2 ** attempt, 2_000)

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

/** What `err` looks like when Redis is away, late, or starting. */
export function isRedisAway(err: unknown): boolean {
  const {
    name = '',
    message = '',
    code = '',
  } = (err ?? {}) as { name?: string; message?: string; code?: string }
  return (
    name === 'MaxRetriesPerRequestError' ||
    /Command timed out|Stream isn't writeable|Connection is closed|LOADING|enableOfflineQueue/.test(
      message,
    ) ||
    (/^ECONN/.test(code) && /6379|redis/i.test(message))
  )
}
