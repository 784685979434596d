import { type Job, WaitingError, Worker } from 'bullmq'
import * as v from 'valibot'
import type { Milliseconds } from '#shared/domain/units.ts'
import { closeWorker } from '#shared/jobs/close-worker.ts'
import { PREVIEW_JOB, PREVIEW_QUEUE, type PreviewJob } from '#shared/jobs/preview-job.ts'
import type { ReadinessCheck } from '#shared/runtime/health.ts'
import { KeyedLimiter, NoPlace, type Place } from '#shared/runtime/keyed-limiter.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import { log } from '#shared/runtime/log.ts'
import type { SettingsFile } from '#shared/runtime/settings.ts'
import { type Keys, WORKER_HEARD } from '#shared/stores/keys.ts'
import { connectRedis, openWorkerRedis } from '#shared/stores/redis.ts'
import { loadScripts } from '#shared/stores/scripts.ts'
import { openGuard } from './guarded-fetch.ts'
import { giveUpCard, makeCard } from './make-card.ts'
import { warnOfEntries } from './warn-of-entries.ts'

/**
 * Security 3. A place holds a page of 1 MiB and a picture of 5 MiB at most. A link to a silent site holds its place
 * for 5 s; readers wait 6 s.
 */
const IN_ALL = 8
const OF_ONE_HOST = 2
const OF_ONE_ASKER = 3
const LONGEST_WAIT: Milliseconds = 6_000
/**
 * Jobs taken from the queue: running ones, and ones whose host or asker has no free place. Waiting jobs cost almost
 * nothing, and must not hold up the rest of the queue.
 */
const AT_ONCE = 200
/** Another worker takes over a killed worker's job after this time; a living worker renews its lock. */
const LOCKED_FOR: Milliseconds = 6_000
const LOOK_FOR_LOST: Milliseconds = 3_000
const BEAT: Milliseconds = 2_000

interface Cards extends Part {
  checks: Record<string, ReadinessCheck>
}

/** The worker's part that makes cards of links. */
export function linkCards(redisUrl: string, keys: Keys, settings: SettingsFile): Cards {
  const redis = openWorkerRedis(redisUrl)
  const stores = { redis, keys, scripts: loadScripts(redis) }
  const guard = openGuard({ allow: () => settings.current.preview_allow })
  const places = new KeyedLimiter({ longestWait: LONGEST_WAIT })
  let worker: Worker<PreviewJob> | undefined
  let beating: NodeJS.Timeout | undefined

  /** Without this key the api adds no jobs. */
  const beat = () => redis.set(keys.cardWorker(), 1, 'EX', WORKER_HEARD)

  async function make(job: Job<PreviewJob>, token?: string) {
    const { url, asker } = v.parse(PREVIEW_JOB, job.data)
    const { host } = new URL(url)
    try {
      await places.run(placesOf(host, asker), () => makeCard(stores, guard, job.id!, url))
    } catch (err) {
      if (!(err instanceof NoPlace)) throw err
      // Its readers are gone; the next one asks again.
      if (err.why === 'late') return log.info({ host }, 'link not read: no place for its host or asker')
      await job.moveToWait(token)
      throw new WaitingError()
    }
  }

  return {
    name: 'link cards',
    checks: { redis: () => redis.ping() },
    async start() {
      await connectRedis(redis)
      warnOfEntries('preview_allow', settings)
      worker = new Worker(PREVIEW_QUEUE, make, {
        connection: redis,
        prefix: keys.queuePrefix(),
        concurrency: AT_ONCE,
        lockDuration: LOCKED_FOR,
        stalledInterval: LOOK_FOR_LOST,
        // A second crash gives the link up.
        maxStalledCount: 1,
      })
      worker.on('failed', (job, err) => {
        log.error({ err }, 'card not made')
        if (job) giveUpCard(stores, job.id!).catch(err => log.warn({ err }, 'card not given up'))
      })
      // The connection logs its own errors.
      worker.on('error', () => {})
      await worker.waitUntilReady()
      await beat()
      beating = setInterval(() => {
        if (redis.status === 'ready') beat().catch(() => {})
      }, BEAT)
    },
    /** Finishes running fetches, for which readers wait some seconds; the next process makes the other cards. */
    async stop() {
      clearInterval(beating)
      places.close()
      await closeWorker(worker, redis)
      await guard.close()
      redis.disconnect()
    },
  }
}

/**
 * A silent site holds its places until the time-out, so neither several users who link to it nor one who links to many
 * such sites blocks all others. Jobs of older versions have no asker.
 */
const placesOf = (host: string, asker: string | undefined): Place[] => [
  { key: 'all', most: IN_ALL },
  { key: `host ${host}`, most: OF_ONE_HOST },
  ...(asker === undefined ? [] : [{ key: `asker ${asker}`, most: OF_ONE_ASKER }]),
]
