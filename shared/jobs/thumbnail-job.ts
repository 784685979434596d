import type { Redis } from 'ioredis'
import type { Keys } from '#shared/stores/keys.ts'
import { queueOn } from './queue.ts'

/** Thumbnails of one image, all of its kinds: asked for by the api, made by `previews`. */
export interface ThumbnailJob {
  /** The stored name. */
  image: string
}

export const THUMBNAIL_QUEUE = 'thumbnails'

/** Beyond it nothing more is taken: whoever reads an image asks again. */
const MOST_WAITING = 10_000

/**
 * Asks for the thumbnails of images; an image that waits already is not asked for twice. Does not wait for them, and throws
 * what Redis throws when it is away.
 */
export async function askForThumbnails({ redis, keys }: { redis: Redis; keys: Keys }, images: string[]) {
  const queue = queueOn<ThumbnailJob>({ redis, keys }, THUMBNAIL_QUEUE)
  if ((await queue.getWaitingCount()) >= MOST_WAITING) return
  await queue.addBulk(
    images.map(image => ({
      name: 'thumbnails',
      data: { image },
      opts: { jobId: image, removeOnComplete: true, removeOnFail: true },
    })),
  )
}
