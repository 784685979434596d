import { setTimeout as pause } from 'node:timers/promises'
import type { LinkPreviewPayload } from '#shared/domain/payloads/previews.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { findCard } from '#shared/jobs/preview-cache.ts'
import { askForCard, type Link } from '#shared/jobs/preview-job.ts'
import { KeyedLimiter, NoPlace } from '#shared/runtime/keyed-limiter.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The worker's five seconds plus one; a later card is there for the next reader. */
const WAIT: Milliseconds = 6_000
/**
 * Polls the cache instead of subscribing: no extra connection, nothing is missed while Redis restarts, and the mean
 * delay is half of this.
 */
const LOOK_EVERY: Milliseconds = 40
/** Waiting readers per process; further ones get no card. */
const MOST_READERS = 1_000
/**
 * Per reader and process, the worker's own limit per user: a user's links to unresponsive hosts (five seconds each)
 * wait here, not in the shared queue.
 */
const MOST_OF_ONE = 3
/** A later turn is skipped: the reader is about to get a response without the card. */
const LATEST_TURN: Milliseconds = WAIT - 1_000

/** `{}` for a link without a card; undefined when unknown in time, or without a worker or Redis. */
export type CardFinder = (link: Link, reader: Username) => Promise<LinkPreviewPayload | undefined>

/** The card of a link, from the cache or from the worker. */
export function cardFinder(stores: Pick<Stores, 'redis' | 'keys'>): CardFinder {
  const waits = new Map<string, Promise<LinkPreviewPayload | undefined>>()
  const turns = new KeyedLimiter({ longestWait: LATEST_TURN })
  let readers = 0

  return async (link, reader) => {
    try {
      return (await findCard(stores, link.id)) ?? (await waitFor(link, reader))
    } catch (err) {
      if (!isRedisAway(err)) throw err
      return undefined
    }
  }

  /** Concurrent readers of a card share one wait. */
  async function waitFor(link: Link, reader: Username) {
    if (readers >= MOST_READERS) return undefined
    let wait = waits.get(link.id)
    if (!wait) {
      wait = inTurn(reader, link).finally(() => waits.delete(link.id))
      waits.set(link.id, wait)
    }
    readers++
    try {
      // After a late turn the wait goes on beyond this time-out, for the next reader.
      return await Promise.race([wait, pause(WAIT, undefined, { ref: false })])
    } finally {
      readers--
    }
  }

  async function inTurn(reader: Username, link: Link) {
    try {
      return await turns.run([{ key: reader, most: MOST_OF_ONE }], () => ask(link, reader))
    } catch (err) {
      if (err instanceof NoPlace) return undefined
      throw err
    }
  }

  async function ask(link: Link, reader: Username): Promise<LinkPreviewPayload | undefined> {
    const until = performance.now() + WAIT
    if (!(await askForCard(stores, link, reader))) return undefined
    while (performance.now() < until) {
      await pause(LOOK_EVERY)
      const card = await findCard(stores, link.id)
      if (card) return card
    }
    return undefined
  }
}
