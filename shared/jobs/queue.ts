import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Keys } from '#shared/stores/keys.ts'

const queues = new WeakMap<Redis, Map<string, Queue>>()

/** The api's end of a queue, cached per connection. Throws while Redis is down; BullMQ would wait. */
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
    // The connection logs its own errors.
    queue.on('error', () => {})
    known.set(name, queue)
  }
  return queue as Queue<Job>
}
