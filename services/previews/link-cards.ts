import { type Job, WaitingError, Worker } from 'bullmq'
import { closeWorker } from '#shared/jobs/close-worker.ts'
import { PREVIEW_QUEUE, type PreviewJob } from '#shared/jobs/preview-job.ts'
import type { ReadinessCheck } from '#shared/kernel/health.ts'
import type { Part } from '#shared/kernel/lifecycle.ts'
import { log } from '#shared/kernel/log.ts'
import type { SettingsFile } from '#shared/kernel/settings.ts'
import type { Milliseconds } from '#shared/rules/units.ts'
import { type Keys, WORKER_HEARD } from '#shared/stores/keys.ts'
import { connectRedis, openWorkerRedis } from '#shared/stores/redis.ts'
import { loadScripts } from '#shared/stores/scripts.ts'
import { readEntry } from './allow-list.ts'
import { openGuard } from './guarded-fetch.ts'
import { giveUpCard, makeCard } from './make-card.ts'
import { openPlaces, type PlaceLimits } from './places.ts'

/**
 * Security 3. Each holds a page of half a MiB and a picture of five at most. A link of whom nothing comes holds its place for five
 * seconds: readers of others wait six.
 */
const PLACES: PlaceLimits = { inAll: 8, ofOneHost: 2, ofOneAsker: 3, waitsFor: 6_000 }
/**
 * Taken from the queue: those being made, and those that wait beside them because their host or asker has no place now. They
 * cost next to nothing, and what is left in the queue waits behind them.
 */
const AT_ONCE = 200
/** A job of a worker that was killed is taken over after so long; a worker that lives renews it. */
const LOCKED_FOR: Milliseconds = 6_000
const LOOK_FOR_LOST: Milliseconds = 3_000
const BEAT: Milliseconds = 2_000

interface Cards extends Part {
  checks: Record<string, ReadinessCheck>
}

/** The part of the worker that makes cards of links. */
export function linkCards(redisUrl: string, keys: Keys, settings: SettingsFile): Cards {
  const redis = openWorkerRedis(redisUrl)
  const stores = { redis, keys, scripts: loadScripts(redis) }
  const guard = openGuard({ allow: () => settings.current.preview_allow })
  const places = openPlaces(PLACES)
  let worker: Worker<PreviewJob> | undefined
  let beating: NodeJS.Timeout | undefined

  /** Without it the api does not even ask. */
  const beat = () => redis.set(keys.cardWorker(), 1, 'EX', WORKER_HEARD)

  async function make(job: Job<PreviewJob>, token?: string) {
    const { url, asker } = job.data
    const { host } = new URL(url)
    const turn = await places.take({ host, asker }, () => makeCard(stores, guard, job.id!, url))
    // Nobody waits for it any more; the next reader asks again.
    if (turn === 'late') log.info({ host }, 'link not read: no place for its host or asker')
    if (turn !== 'closing') return
    await job.moveToWait(token)
    throw new WaitingError()
  }

  return {
    name: 'link cards',
    checks: { redis: () => redis.ping() },
    async start() {
      await connectRedis(redis)
      warnOfEntries(settings)
      settings.onChange(() => warnOfEntries(settings))
      worker = new Worker(PREVIEW_QUEUE, make, {
        connection: redis,
        prefix: keys.queuePrefix(),
        concurrency: AT_ONCE,
        lockDuration: LOCKED_FOR,
        stalledInterval: LOOK_FOR_LOST,
        // A link that two workers did not survive is given up.
        maxStalledCount: 1,
      })
      worker.on('failed', (job, err) => {
        log.error({ err }, 'card not made')
        if (job) giveUpCard(stores, job.id!).catch(err => log.warn({ err }, 'card not given up'))
      })
      // The connection tells what is wrong with it.
      worker.on('error', () => {})
      await worker.waitUntilReady()
      await beat()
      beating = setInterval(() => {
        if (redis.status === 'ready') beat().catch(() => {})
      }, BEAT)
    },
    /** What is being fetched is finished: that takes seconds, and its readers wait. The next process goes on with the others. */
    async stop() {
      clearInterval(beating)
      places.close()
      await closeWorker(worker, redis)
      await guard.close()
      redis.disconnect()
    },
  }
}

/** What is no entry opens nothing, which its author should know. */
function warnOfEntries({ current }: SettingsFile) {
  for (const entry of current.preview_allow) {
    if (readEntry(entry) === undefined) log.warn({ entry }, 'preview_allow: neither a host nor a network')
  }
}
