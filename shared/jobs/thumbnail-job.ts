import type { Redis } from 'ioredis'
import type { Username } from '#shared/rules/units.ts'
import { type Keys, THUMBNAILS_ASKED } from '#shared/stores/keys.ts'
import { queueOn } from './queue.ts'

/** Thumbnails of one image, all of its kinds: asked for by the api, made by `previews`. */
export interface ThumbnailJob {
  /** The stored name. */
  image: string
}

export const THUMBNAIL_QUEUE = 'thumbnails'

/** Beyond it nothing more is taken: whoever reads an image asks again. */
const MOST_WAITING = 10_000
/** Of what one person sends and looks at: half a minute of a worker, for which the images of others wait. */
const MOST_OF_ONE = 100

type JobStores = { redis: Redis; keys: Keys }

/**
 * Asks for the thumbnails of images; an image that waits already is not asked for twice. Answers for which it did: not for what is
 * more than a person's share. Does not wait for them, and throws what Redis throws when it is away.
 */
export async function askForThumbnails(
  { redis, keys }: JobStores,
  images: string[],
  asker: Username,
): Promise<string[]> {
  const queue = queueOn<ThumbnailJob>({ redis, keys }, THUMBNAIL_QUEUE)
  if ((await queue.getWaitingCount()) >= MOST_WAITING) return []
  const taken = await takeShare({ redis, keys }, images, asker)
  await queue.addBulk(
    taken.map(image => ({
      name: 'thumbnails',
      data: { image },
      opts: { jobId: image, removeOnComplete: true, removeOnFail: true },
    })),
  )
  return taken
}

/** The first of these images, as many as the person may still have waiting. */
async function takeShare({ redis, keys }: JobStores, images: string[], asker: Username) {
  const share = keys.thumbnailsAskedBy(asker)
  if ((await redis.scard(share)) + images.length > MOST_OF_ONE) await forgetMade({ redis, keys }, share)
  const taken = images.slice(0, Math.max(0, MOST_OF_ONE - (await redis.scard(share))))
  if (taken.length > 0) await redis.multi().sadd(share, taken).expire(share, THUMBNAILS_ASKED).exec()
  return taken
}

/** A job is gone when it is done. */
async function forgetMade({ redis, keys }: JobStores, share: string) {
  const images = await redis.smembers(share)
  const jobs = images.map(image => `${keys.queuePrefix()}:${THUMBNAIL_QUEUE}:${image}`)
  const waits = await Promise.all(jobs.map(job => redis.exists(job)))
  const made = images.filter((_, i) => waits[i] === 0)
  if (made.length > 0) await redis.srem(share, made)
}
