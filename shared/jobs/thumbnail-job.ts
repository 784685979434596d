import type { Redis } from 'ioredis'
import * as v from 'valibot'
import type { Username } from '#shared/domain/units.ts'
import { type Keys, THUMBNAILS_ASKED } from '#shared/stores/keys.ts'
import { queueOn } from './queue.ts'

/** A request of the api for all thumbnails of an image, or for the picture of an emoji, made by `previews-pictures`. */
export const THUMBNAIL_JOB = v.object({
  /** Stored file name; that of an emoji's upload says so (shared/domain/custom-emoji.ts). */
  image: v.pipe(v.string(), v.nonEmpty()),
})
export type ThumbnailJob = v.InferOutput<typeof THUMBNAIL_JOB>

export const THUMBNAIL_QUEUE = 'thumbnails'

/** Further jobs are refused; the next reader of the image asks again. */
const MOST_WAITING = 10_000
/** Waiting images per user: half a minute of a worker, for which the images of others wait. */
const MOST_OF_ONE = 100

type JobStores = { redis: Redis; keys: Keys }

/**
 * Adds jobs for the thumbnails of images and returns the images within the user's share. An image that waits already
 * gets no second job. Does not wait for the thumbnails. Throws if Redis is down.
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

/** Returns the first images, up to the free part of the user's share. */
async function takeShare({ redis, keys }: JobStores, images: string[], asker: Username) {
  const share = keys.thumbnailsAskedBy(asker)
  if ((await redis.scard(share)) + images.length > MOST_OF_ONE) await forgetMade({ redis, keys }, share)
  const taken = images.slice(0, Math.max(0, MOST_OF_ONE - (await redis.scard(share))))
  if (taken.length > 0) await redis.multi().sadd(share, taken).expire(share, THUMBNAILS_ASKED).exec()
  return taken
}

/** Removes finished images from the share: their jobs no longer exist. */
async function forgetMade({ redis, keys }: JobStores, share: string) {
  const images = await redis.smembers(share)
  const jobs = images.map(image => `${keys.queuePrefix()}:${THUMBNAIL_QUEUE}:${image}`)
  const waits = await Promise.all(jobs.map(job => redis.exists(job)))
  const made = images.filter((_, i) => waits[i] === 0)
  if (made.length > 0) await redis.srem(share, made)
}
