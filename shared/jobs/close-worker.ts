import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Part of the ten seconds that a process has to stop (architecture 6). */
const CLOSES_WITHIN: Milliseconds = 7_000

/**
 * Waits for a worker's running jobs. Without Redis they could not finish or store results: then the process stops
 * without them, and another worker takes the jobs over when their locks expire.
 */
export async function closeWorker(worker: Worker | undefined, redis: Redis): Promise<void> {
  const closed = worker?.close()
  if (redis.status === 'ready') await Promise.race([closed, pause(CLOSES_WITHIN, undefined, { ref: false })])
}
