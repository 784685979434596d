import { setTimeout as pause } from 'node:timers/promises'
import type { EmojiFiles } from '#shared/domain/custom-emoji.ts'
import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { askForThumbnails } from '#shared/jobs/thumbnail-job.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The worker's time for both pictures. */
const WAIT: Seconds = 12
const LOOK_EVERY: Milliseconds = 40

/** Waits until the worker has converted the stored upload. Returns whether the picture moves; undefined if it cannot. */
export async function convert(
  stores: Stores,
  { source, picture, still }: EmojiFiles,
  asker: Username,
): Promise<{ animated: boolean } | undefined> {
  const { files, redis, keys, clock } = stores
  try {
    if ((await askForThumbnails(stores, [source], asker)).length === 0) throw busy()
    for (const until = clock.now() + WAIT; clock.now() < until; await pause(LOOK_EVERY)) {
      if ((await files.size(picture)) !== undefined)
        return { animated: (await files.size(still)) !== undefined }
      if ((await redis.get(keys.thumbnailVerdict(source))) === 'none') return undefined
    }
  } catch (err) {
    if (!isRedisAway(err)) throw err
  }
  throw busy()
}

const busy = () =>
  errors.coded(503, 'unavailable', 'Pictures cannot be prepared at the moment. Try again in a while.')
