import { buffer } from 'node:stream/consumers'
import { type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Sharp } from 'sharp'
import { closeWorker } from '#shared/jobs/close-worker.ts'
import { THUMBNAIL_QUEUE, type ThumbnailJob } from '#shared/jobs/thumbnail-job.ts'
import type { ReadinessCheck } from '#shared/kernel/health.ts'
import { type FoundImage, findImage, openImage } from '#shared/kernel/images.ts'
import type { Part } from '#shared/kernel/lifecycle.ts'
import { log } from '#shared/kernel/log.ts'
import type { Seconds } from '#shared/rules/units.ts'
import { THUMBNAIL_KINDS, type ThumbnailKind, thumbnailName } from '#shared/rules/uploads.ts'
import type { FileStore } from '#shared/stores/files.ts'
import type { Keys } from '#shared/stores/keys.ts'
import { connectRedis, openWorkerRedis } from '#shared/stores/redis.ts'

const AT_ONCE = 2
/** A picture that takes longer is served as it is. Nor can the process end before: Node waits for its threads. */
const MADE_WITHIN: Seconds = 6
const QUALITY = 80
/** Of moving images, all frames are decoded before the first is made small: 30 megapixels are 120 MB. */
const MOST_PIXELS_THAT_MOVE = 30_000_000
const VERDICT_KEPT: Seconds = 24 * 3600
/** A picture during which the process ended, perhaps because of it, is let be so long. */
const TRYING_KEPT: Seconds = 600

interface Stores {
  redis: Redis
  keys: Keys
  files: FileStore
}

interface Thumbnails extends Part {
  checks: Record<string, ReadinessCheck>
}

/** Makes thumbnails of images from the queue (decisions, Files and previews). */
export function thumbnails(redisUrl: string, keys: Keys, files: FileStore): Thumbnails {
  const redis = openWorkerRedis(redisUrl)
  const stores = { redis, keys, files }
  const stopping = new AbortController()
  const stopped = new Promise<'stopped'>(resolve => {
    stopping.signal.addEventListener('abort', () => resolve('stopped'))
  })
  let worker: Worker<ThumbnailJob> | undefined

  async function make(job: Job<ThumbnailJob>, token?: string) {
    const { image } = job.data
    const making = makeThumbnails(stores, image, stopping.signal)
    if ((await Promise.race([making, stopped])) !== 'stopped') return
    making.catch(err => log.warn({ err }, 'thumbnails not made'))
    await giveBack(stores, image, job, token)
  }

  return {
    name: 'thumbnails',
    checks: { redis: () => redis.ping() },
    async start() {
      await connectRedis(redis)
      worker = new Worker(THUMBNAIL_QUEUE, make, {
        connection: redis,
        prefix: keys.queuePrefix(),
        concurrency: AT_ONCE,
      })
      worker.on('failed', (_job, err) => log.warn({ err }, 'thumbnails not made'))
      // The connection tells what is wrong with it.
      worker.on('error', () => {})
    },
    /** All the sizes of a picture may take longer than a process has for its end: the next one goes on with it. */
    async stop() {
      stopping.abort()
      await closeWorker(worker, redis)
      redis.disconnect()
    },
  }
}

/** The picture is not at fault that it was not finished. Throws what tells the queue that the job waits again. */
async function giveBack({ redis, keys }: Stores, image: string, job: Job<ThumbnailJob>, token?: string) {
  await redis.del(...THUMBNAIL_KINDS.map(kind => keys.thumbnailVerdict(thumbnailName(image, kind))))
  await job.moveToWait(token)
  throw new WaitingError()
}

/** All that are missing. What cannot be made, or need not be, is noted for those who would ask again. */
async function makeThumbnails(stores: Stores, image: string, stopping: AbortSignal): Promise<void> {
  const { files } = stores
  if ((await files.size(image)) === undefined) return
  const bytes = await buffer(files.read(image))
  const found = await findImage(bytes)
  for (const kind of THUMBNAIL_KINDS) {
    const name = thumbnailName(image, kind)
    const isMissing = (await files.size(name)) === undefined
    if (stopping.aborted) break
    if (isMissing) await makeOne(stores, name, kind, bytes, found, stopping)
  }
  // Deleted meanwhile: then nobody comes after us to remove what was made of it.
  if ((await files.size(image)) === undefined) await files.remove(image)
}

async function makeOne(
  { redis, keys, files }: Stores,
  name: string,
  kind: ThumbnailKind,
  bytes: Buffer,
  found: FoundImage | undefined,
  stopping: AbortSignal,
) {
  const verdict = keys.thumbnailVerdict(name)
  const small = found && reduced(bytes, found, kind)
  if (!small) return void (await redis.set(verdict, 'none', 'EX', VERDICT_KEPT))
  const before = await redis.set(verdict, 'trying', 'EX', TRYING_KEPT, 'GET')
  if (before === 'trying') return void (await redis.set(verdict, 'none', 'EX', TRYING_KEPT))
  if (stopping.aborted) return

  const made = await small.toBuffer().catch(err => {
    log.info({ err, name }, 'no thumbnail of this image')
    return undefined
  })
  if (!made) return void (await redis.set(verdict, 'none', 'EX', VERDICT_KEPT))
  try {
    await files.put(made, name)
  } finally {
    await redis.del(verdict)
  }
}

/** Undefined: the original does as well, or is all that there can be. */
function reduced(bytes: Buffer, found: FoundImage, { size, still }: ThumbnailKind): Sharp | undefined {
  const moves = found.frames > 1
  if (still && !moves) return undefined
  if (!still && Math.max(found.width, found.height) <= size) return undefined
  const frames = moves && !still ? -1 : 1
  if (frames !== 1) {
    if (found.width * found.height * found.frames > MOST_PIXELS_THAT_MOVE) return undefined
    // Frames are decoded one above the other, and cannot be turned one by one.
    if (found.orientation !== 1) return undefined
  }
  const image = openImage(bytes, { frames })
  return (frames === 1 ? image.autoOrient() : image)
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY, effort: moves ? 2 : 4, smartSubsample: true })
    .timeout({ seconds: MADE_WITHIN })
}
