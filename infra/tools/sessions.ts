import type { Milliseconds } from '#shared/domain/units.ts'
import { messageWithoutValues } from '#shared/runtime/log.ts'
import { variableText } from '#shared/runtime/variables.ts'
import { openRedis } from '#shared/stores/redis.ts'
import { whileRunning } from './environment.ts'

const CONNECTS_WITHIN: Milliseconds = 5_000

export interface Sessions {
  /** Number of sessions that were ended. */
  readonly ended: number
  /**
   * Signs everybody out: a restored database is that of an earlier time, which knows nothing of later passwords and
   * sign-outs.
   */
  end(): Promise<void>
  close(): void
}

/** Undefined without Redis; throws if it does not answer. */
export async function openSessions(): Promise<Sessions | undefined> {
  const url = variableText('REDIS_URL') ?? whileRunning('redis-url')
  if (url === undefined) return undefined
  const redis = openRedis(url)
  // Commands reject too; without a listener, the event is printed.
  redis.on('error', () => {})
  const prefix = process.env.REDIS_PREFIX ?? 'bothy:'
  try {
    await answers(redis)
  } catch (err) {
    redis.disconnect()
    throw new Error(
      `Redis (REDIS_URL) does not answer, and a restore ends the sessions in it: ${messageWithoutValues(err)}. Start it, or look at the address. Nothing was changed.`,
      { cause: err },
    )
  }
  let ended = 0
  return {
    get ended() {
      return ended
    },
    async end() {
      for (const match of [`${prefix}sess:*`, `${prefix}sessions:*`]) {
        for await (const keys of redis.scanStream({ match, count: 1_000 })) {
          if (keys.length > 0) await redis.unlink(...keys)
          if (match.includes('sess:')) ended += keys.length
        }
      }
    },
    close: () => redis.disconnect(),
  }
}

async function answers(redis: ReturnType<typeof openRedis>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no reply within ${CONNECTS_WITHIN / 1000} s`)),
      CONNECTS_WITHIN,
    )
  })
  try {
    await Promise.race([redis.connect(), late])
  } finally {
    clearTimeout(timer)
  }
}
