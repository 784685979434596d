import { setTimeout as pause } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { findCard } from '#shared/jobs/preview-cache.ts'
import { askForCard, type Link } from '#shared/jobs/preview-job.ts'
import type { LinkPreviewPayload } from '#shared/rules/payloads.ts'
import type { Milliseconds, Username } from '#shared/rules/units.ts'
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
/**
 * Of one reader, in this process: as many as a worker makes of one asker at once, so that what a person asks for at addresses
 * that say nothing, five seconds each, waits here and not in the queue of everybody.
 */
const MOST_OF_ONE = 3
/** Whose turn comes later is not asked for: the reader is about to get an answer without it. */
const LATEST_TURN: Milliseconds = WAIT - 1_000

/** `{}` when there is none; undefined when nothing is known in time, for want of time, a worker or Redis. */
export type CardFinder = (link: Link, reader: Username) => Promise<LinkPreviewPayload | undefined>

/** The card of a link, from the cache or from the worker. */
export function cardFinder(stores: Pick<Stores, 'redis' | 'keys'>): CardFinder {
  const waits = new Map<string, Promise<LinkPreviewPayload | undefined>>()
  const turns = new Map<Username, LimitFunction>()
  let readers = 0

  return async (link, reader) => {
    try {
      return (await findCard(stores, link.id)) ?? (await waitFor(link, reader))
    } catch (err) {
      if (!isRedisAway(err)) throw err
      return undefined
    }
  }

  /** However many wait for the same card, one looks for it. */
  async function waitFor(link: Link, reader: Username) {
    if (readers >= MOST_READERS) return undefined
    let wait = waits.get(link.id)
    if (!wait) {
      wait = inTurn(reader, link).finally(() => waits.delete(link.id))
      waits.set(link.id, wait)
    }
    readers++
    try {
      // Its turn may come late, and then it is not given up before the worker would: that is for the next reader.
      return await Promise.race([wait, pause(WAIT, undefined, { ref: false })])
    } finally {
      readers--
    }
  }

  async function inTurn(reader: Username, link: Link) {
    const turn = turns.get(reader) ?? pLimit(MOST_OF_ONE)
    turns.set(reader, turn)
    const until = performance.now() + LATEST_TURN
    try {
      return await turn(() => (performance.now() < until ? ask(link, reader) : undefined))
    } finally {
      if (turn.activeCount + turn.pendingCount === 0) turns.delete(reader)
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
