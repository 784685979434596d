import { setTimeout as pause } from 'node:timers/promises'
import { findCard } from '#shared/jobs/preview-cache.ts'
import { askForCard, type Link } from '#shared/jobs/preview-job.ts'
import type { LinkPreviewPayload } from '#shared/rules/payloads.ts'
import type { Milliseconds } from '#shared/rules/units.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The worker's five seconds and one to spare; a card that comes later is there for the next reader. */
const WAIT: Milliseconds = 6_000
/**
 * The cache is looked at, instead of listening for the end of jobs: no connection more, nothing to miss while Redis is
 * restarted, and it costs a reader half of this.
 */
const LOOK_EVERY: Milliseconds = 40
/** In this process; beyond them nobody waits. */
const MOST_READERS = 1_000

export type CardFinder = (link: Link) => Promise<LinkPreviewPayload>

/** The card of a link, from the cache or from the worker; `{}` when there is none in time, or no worker, or no Redis. */
export function cardFinder(stores: Pick<Stores, 'redis' | 'keys'>): CardFinder {
  const waits = new Map<string, Promise<LinkPreviewPayload | undefined>>()
  let readers = 0

  return async link => {
    try {
      return (await findCard(stores, link.id)) ?? (await waitFor(link)) ?? {}
    } catch (err) {
      if (!isRedisAway(err)) throw err
      return {}
    }
  }

  /** However many wait for the same card, one looks for it. */
  async function waitFor(link: Link) {
    if (readers >= MOST_READERS) return undefined
    let wait = waits.get(link.id)
    if (!wait) {
      wait = ask(link).finally(() => waits.delete(link.id))
      waits.set(link.id, wait)
    }
    readers++
    try {
      return await wait
    } finally {
      readers--
    }
  }

  async function ask(link: Link): Promise<LinkPreviewPayload | undefined> {
    const until = performance.now() + WAIT
    if (!(await askForCard(stores, link))) return undefined
    while (performance.now() < until) {
      await pause(LOOK_EVERY)
      const card = await findCard(stores, link.id)
      if (card) return card
    }
    return undefined
  }
}
