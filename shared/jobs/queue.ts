import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Keys } from '#shared/stores/keys.ts'

const queues = new WeakMap<Redis, Map<string, Queue>>()

/** The api's end of a queue to `previews`, one for each connection. BullMQ would wait until Redis is back: this throws. */
export function queueOn<Job>({ redis, keys }: { redis: Redis; keys: Keys }, name: string): Queue<Job> {
  if (redis.status !== 'ready') throw new Error('Connection is closed.')
  const known = queues.get(redis) ?? new Map<string, Queue>()
  queues.set(redis, known)
  let queue = known.get(name)
  if (!queue) {
    queue = new Queue(name, {
      connection: redis,
      prefix: keys.queuePrefix(),
      skipMetasUpdate: true,
      skipVersionCheck: true,
    })
    // The connection tells what is wrong with it.
    queue.on('error', () => {})
    known.set(name, queue)
  }
  return queue as Queue<Job>
}
