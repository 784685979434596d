import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Milliseconds } from '#shared/rules/units.ts'

/** Of the ten seconds that a process has to stop (architecture 6). */
const CLOSES_WITHIN: Milliseconds = 7_000

/**
 * Lets a worker finish what it does. Without Redis it never would, and could not keep it: then its jobs are for whoever takes
 * them over when their locks run out, and this process ends as it should.
 */
export async function closeWorker(worker: Worker | undefined, redis: Redis): Promise<void> {
  const closed = worker?.close()
  if (redis.status === 'ready') await Promise.race([closed, pause(CLOSES_WITHIN, undefined, { ref: false })])
}
