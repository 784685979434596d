import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { type ThumbnailKind, thumbnailName } from '#shared/domain/uploads.ts'
import { askForThumbnails } from '#shared/jobs/thumbnail-job.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The file to serve and its cache time: 0 for an original that stands in temporarily. */
export interface Served {
  name: string
  keepFor: Seconds
}

export const FOR_EVER: Seconds = 365 * 24 * 3600
const A_DAY: Seconds = 24 * 3600

export type FindThumbnail = (image: string, kind: ThumbnailKind, reader: Username) => Promise<Served>

/** Maximum wait for a missing thumbnail; then the original is served. */
const WAIT: Seconds = 1.5
const LOOK_EVERY: Milliseconds = 40
/** After a time-out, requests do not wait for this long, because the worker may be dead; they still queue the job. */
const NO_WAIT_AFTER: Seconds = 10

/** Serves the original while the worker is unavailable. */
export function thumbnailFinder(stores: Stores): FindThumbnail {
  const waits = new Map<string, Promise<Served>>()
  let waitAgainAt: Seconds = 0

  return async (image, kind, reader) => {
    const thumbnail = thumbnailName(image, kind)
    if ((await stores.files.size(thumbnail)) !== undefined) return { name: thumbnail, keepFor: FOR_EVER }
    // Concurrent readers share one wait.
    let wait = waits.get(thumbnail)
    if (!wait) {
      wait = ask(image, thumbnail, reader).finally(() => waits.delete(thumbnail))
      waits.set(thumbnail, wait)
    }
    return wait
  }

  async function ask(image: string, thumbnail: string, reader: Username): Promise<Served> {
    try {
      const known = await look(image, thumbnail)
      if (known) return known
      const asked = await askForThumbnails(stores, [image], reader)
      if (asked.length === 0) return { name: image, keepFor: 0 }
      const until = stores.clock.now() + WAIT
      while (stores.clock.now() < until && stores.clock.now() >= waitAgainAt) {
        await pause(LOOK_EVERY)
        const made = await look(image, thumbnail)
        if (made) return made
      }
      if (stores.clock.now() >= until) waitAgainAt = stores.clock.now() + NO_WAIT_AFTER
    } catch (err) {
      if (!isRedisAway(err)) throw err
    }
    return { name: image, keepFor: 0 }
  }

  async function look(image: string, thumbnail: string): Promise<Served | undefined> {
    if ((await stores.files.size(thumbnail)) !== undefined) return { name: thumbnail, keepFor: FOR_EVER }
    // No thumbnail is possible or useful: the original is final.
    const verdict = await stores.redis.get(stores.keys.thumbnailVerdict(thumbnail))
    return verdict === 'none' ? { name: image, keepFor: A_DAY } : undefined
  }
}
