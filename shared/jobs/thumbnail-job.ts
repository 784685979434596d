import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Keys } from '#shared/stores/keys.ts'

/** Thumbnails of one image, all of its kinds: asked for by the api, made by `previews`. */
export interface ThumbnailJob {
  /** The stored name. */
  image: string
}

export const THUMBNAIL_QUEUE = 'thumbnails'

/** Beyond it nothing more is taken: whoever reads an image asks again. */
const MOST_WAITING = 10_000

const queues = new WeakMap<Redis, Queue<ThumbnailJob>>()

/**
 * Asks for the thumbnails of images; an image that waits already is not asked for twice. Does not wait for them, and throws
 * what Redis throws when it is away.
 */
export async function askForThumbnails({ redis, keys }: { redis: Redis; keys: Keys }, images: string[]) {
  // BullMQ would wait until Redis is back.
  if (redis.status !== 'ready') throw new Error('Connection is closed.')
  const queue = queueOn(redis, keys)
  if ((await queue.getWaitingCount()) >= MOST_WAITING) return
  await queue.addBulk(
    images.map(image => ({
      name: 'thumbnails',
      data: { image },
      opts: { jobId: image, removeOnComplete: true, removeOnFail: true },
    })),
  )
}

function queueOn(redis: Redis, keys: Keys): Queue<ThumbnailJob> {
  let queue = queues.get(redis)
  if (!queue) {
    queue = new Queue(THUMBNAIL_QUEUE, {
      connection: redis,
      prefix: keys.queuePrefix(),
      skipMetasUpdate: true,
      skipVersionCheck: true,
    })
    // The connection tells what is wrong with it.
    queue.on('error', () => {})
    queues.set(redis, queue)
  }
  return queue
}
