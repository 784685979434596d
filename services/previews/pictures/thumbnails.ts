import { buffer } from 'node:stream/consumers'
import { type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import * as v from 'valibot'
import { type EmojiFiles, emojiFilesWith } from '#shared/domain/custom-emoji.ts'
import type { Seconds } from '#shared/domain/units.ts'
import {
  THUMBNAIL_KINDS,
  THUMBNAIL_SIZES,
  type ThumbnailKind,
  thumbnailName,
} from '#shared/domain/uploads.ts'
import { closeWorker } from '#shared/jobs/close-worker.ts'
import { THUMBNAIL_JOB, THUMBNAIL_QUEUE, type ThumbnailJob } from '#shared/jobs/thumbnail-job.ts'
import { ByteBudget } from '#shared/runtime/byte-budget.ts'
import type { ReadinessCheck } from '#shared/runtime/health.ts'
import {
  type FoundImage,
  findImage,
  MOST_HELD,
  MOST_PIXELS_OF_PHOTO,
  openImage,
} from '#shared/runtime/images.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import { log } from '#shared/runtime/log.ts'
import type { FileStore } from '#shared/stores/files.ts'
import type { Keys } from '#shared/stores/keys.ts'
import { connectRedis, openWorkerRedis } from '#shared/stores/redis.ts'
import { emojiPicture } from './emoji-picture.ts'

const AT_ONCE = 2
/** Slower images are served unchanged. Also bounds the stop of the process: Node waits for its threads. */
const MADE_WITHIN: Seconds = 6
/** For more than 40 megapixels, whose originals are a burden to every reader. */
const LARGE_MADE_WITHIN: Seconds = 20
const LARGE_PIXELS = 40_000_000
const QUALITY = 80
const LARGEST = Math.max(...THUMBNAIL_SIZES)
/** All frames of an animation are decoded before the first is resized: 30 megapixels are 120 MB, and 300 with copies. */
const MOST_PIXELS_THAT_MOVE = 30_000_000
const HELD_PER_PIXEL_THAT_MOVES = 10
/** Bytes that all decoders of the process hold: the one of the largest image works alone. */
const memory = new ByteBudget(MOST_HELD)
const VERDICT_KEPT: Seconds = 24 * 3600
/** Pause for an image during whose work the process ended, as it may be the cause. */
const TRYING_KEPT: Seconds = 600

interface Stores {
  redis: Redis
  keys: Keys
  files: FileStore
}

interface Thumbnails extends Part {
  checks: Record<string, ReadinessCheck>
}

/** The worker's part that makes thumbnails (interface 4.4). */
export function thumbnails(redisUrl: string, keys: Keys, files: FileStore): Thumbnails {
  const redis = openWorkerRedis(redisUrl)
  const stores = { redis, keys, files }
  const stopping = new AbortController()
  const stopped = new Promise<'stopped'>(resolve => {
    stopping.signal.addEventListener('abort', () => resolve('stopped'))
  })
  let worker: Worker<ThumbnailJob> | undefined

  async function make(job: Job<ThumbnailJob>, token?: string) {
    const { image } = v.parse(THUMBNAIL_JOB, job.data)
    const emoji = emojiFilesWith(image)
    const making = emoji ? makeEmoji(stores, emoji) : makeThumbnails(stores, image, stopping.signal)
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
      // The connection logs its own errors.
      worker.on('error', () => {})
    },
    /** All sizes of an image may take longer than a process has to stop: the next process continues. */
    async stop() {
      stopping.abort()
      await closeWorker(worker, redis)
      redis.disconnect()
    },
  }
}

/** Returns an interrupted job to the queue and clears its verdicts. Throws the error by which BullMQ learns of it. */
async function giveBack({ redis, keys }: Stores, image: string, job: Job<ThumbnailJob>, token?: string) {
  const made = emojiFilesWith(image) ? [image] : THUMBNAIL_KINDS.map(kind => thumbnailName(image, kind))
  await redis.del(...made.map(name => keys.thumbnailVerdict(name)))
  await job.moveToWait(token)
  throw new WaitingError()
}

/** Converts the upload of an emoji. The still is written first: once the picture is there, both are. */
async function makeEmoji({ redis, keys, files }: Stores, { source, picture, still }: EmojiFiles) {
  const verdict = keys.thumbnailVerdict(source)
  // An image during whose work the process ended may be the cause.
  const before = await redis.set(verdict, 'trying', 'EX', TRYING_KEPT, 'GET')
  const content = before === 'trying' ? undefined : await files.read(source)
  const bytes = content && (await buffer(content))
  const image = bytes && (await findImage(bytes))
  const made =
    image &&
    (await emojiPicture(bytes, image).catch(err => {
      log.info({ err, source }, 'no emoji of this image')
      return undefined
    }))
  if (!made) return void (await redis.set(verdict, 'none', 'EX', TRYING_KEPT))
  if (made.still) await files.put(made.still, still)
  await files.put(made.picture, picture)
  await redis.del(verdict)
}

/** Makes all missing sizes. Records sizes that are impossible or unnecessary, so that they are not requested again. */
async function makeThumbnails(stores: Stores, image: string, stopping: AbortSignal): Promise<void> {
  const { files } = stores
  const content = await files.read(image)
  if (!content) return
  const bytes = await buffer(content)
  const decoded = await findImage(bytes, MOST_PIXELS_OF_PHOTO)
  const source = decoded && openSource(bytes, decoded)
  for (const kind of THUMBNAIL_KINDS) {
    const name = thumbnailName(image, kind)
    const isMissing = (await files.size(name)) === undefined
    if (stopping.aborted) break
    if (isMissing) await makeOne(stores, name, kind, source, stopping)
  }
  // Deleted meanwhile: nothing else would remove the new thumbnails.
  if ((await files.size(image)) === undefined) await files.remove(image)
}

async function makeOne(
  { redis, keys, files }: Stores,
  name: string,
  kind: ThumbnailKind,
  source: Source | undefined,
  stopping: AbortSignal,
) {
  const verdict = keys.thumbnailVerdict(name)
  if (!source || !isReducible(source.found, kind))
    return void (await redis.set(verdict, 'none', 'EX', VERDICT_KEPT))
  const before = await redis.set(verdict, 'trying', 'EX', TRYING_KEPT, 'GET')
  if (before === 'trying') return void (await redis.set(verdict, 'none', 'EX', TRYING_KEPT))
  if (stopping.aborted) return

  const made = await reduced(source, kind).catch(err => {
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

interface Source {
  bytes: Buffer
  found: FoundImage
  /** The first frame with at most the size of the largest thumbnail, decoded once for all of them. */
  still: () => Promise<Sharp>
}

function openSource(bytes: Buffer, found: FoundImage): Source {
  let decoded: Promise<RawImage> | undefined
  return {
    bytes,
    found,
    async still() {
      decoded ??= memory.run(found.held, () => decodeStill(bytes, found))
      const { data, info } = await decoded
      return sharp(data, { raw: info })
    },
  }
}

type RawImage = { data: Buffer; info: OutputInfo }

const decodeStill = (bytes: Buffer, { width, height }: FoundImage): Promise<RawImage> =>
  openImage(bytes)
    .autoOrient()
    .resize(LARGEST, LARGEST, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .timeout({ seconds: width * height > LARGE_PIXELS ? LARGE_MADE_WITHIN : MADE_WITHIN })
    .toBuffer({ resolveWithObject: true })

/** False if the original is small enough, or cannot be resized. */
function isReducible(found: FoundImage, { size, still }: ThumbnailKind): boolean {
  const moves = found.frames > 1
  if (still) return moves
  if (Math.max(found.width, found.height) <= size) return false
  // Frames are decoded as a vertical strip and cannot be rotated individually. An animated PNG is decoded to its first frame only.
  return (
    !moves ||
    (found.width * found.height * found.frames <= MOST_PIXELS_THAT_MOVE &&
      found.orientation === 1 &&
      found.format !== 'png')
  )
}

async function reduced({ bytes, found, still }: Source, kind: ThumbnailKind): Promise<Buffer> {
  const moves = found.frames > 1 && !kind.still
  if (!moves) return webpOf(await still(), kind.size, found.frames > 1 ? 2 : 4)
  const held = found.width * found.height * found.frames * HELD_PER_PIXEL_THAT_MOVES
  return memory.run(held, () => webpOf(openImage(bytes, { frames: -1 }), kind.size, 2))
}

const webpOf = (image: Sharp, size: number, effort: number): Promise<Buffer> =>
  image
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY, effort, smartSubsample: true })
    .timeout({ seconds: MADE_WITHIN })
    .toBuffer()
