import type { Redis } from 'ioredis'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { type Keys, NOTICES_KEPT } from '#shared/stores/keys.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import { collectionsIn, fromText, type Notice, toText } from './notice.ts'

/** The id of a notice in the log: the interface's "shared change counter" (6, rule 4). */
export type NoticeId = string

/** Delays for a machine under load and a restarting Redis; a duplicate notice does no harm. */
const RETRIES: Milliseconds[] = [200, 1_000, 5_000]

/** Running attempts, and retries that wait for their timer. */
const underWay = new Set<Promise<void>>()
const waiting = new Map<NodeJS.Timeout, () => Promise<void>>()
const FLUSHED_WITHIN: Milliseconds = 2_000

/**
 * Appends a notice. Resolves after the first attempt, since the write is committed already: a failed append is retried
 * in the background, and gateways re-evaluate periodically.
 */
export function appendNotice(redis: Redis, keys: Keys, notice: Notice, attempt = 0): Promise<void> {
  const tried = tryToAppend(redis, keys, notice, attempt).finally(() => underWay.delete(tried))
  underWay.add(tried)
  return tried
}

/** Called before a process ends: runs pending retries now, and waits for all attempts. */
export async function flushNotices(): Promise<void> {
  for (const [timer, retry] of waiting) {
    clearTimeout(timer)
    void retry()
  }
  waiting.clear()
  const late = new Promise(resolve => setTimeout(resolve, FLUSHED_WITHIN).unref())
  await Promise.race([Promise.all(underWay), late])
}

async function tryToAppend(redis: Redis, keys: Keys, notice: Notice, attempt: number): Promise<void> {
  try {
    await redis.xadd(keys.notices(), 'MAXLEN', '~', NOTICES_KEPT, '*', 'notice', toText(notice))
  } catch (err) {
    const collections = collectionsIn(notice)
    const isAway = noteStoreFailure(err, { collections })
    const wait = RETRIES[attempt]
    if (wait === undefined) {
      if (!isAway) log.warn({ err, collections }, 'notice not published')
      return
    }
    const retry = () => appendNotice(redis, keys, notice, attempt + 1)
    const timer = setTimeout(() => {
      waiting.delete(timer)
      void retry()
    }, wait).unref()
    waiting.set(timer, retry)
  }
}

/** Returns the id of the newest notice; `0-0` when there is none. */
export async function newestNoticeId(redis: Redis, keys: Keys): Promise<NoticeId> {
  const [newest] = await redis.xrevrange(keys.notices(), '+', '-', 'COUNT', 1)
  return newest?.[0] ?? '0-0'
}

/** Reports whether notices after `id` may be missing: they were trimmed, or Redis was emptied. */
export async function hasGapAfter(redis: Redis, keys: Keys, id: NoticeId): Promise<boolean> {
  if (id === '0-0') return false
  const known = await redis.xrange(keys.notices(), id, id)
  return known.length === 0
}

/** Waits up to `block` ms for notices after `id`. Requires a separate connection (openBlockingRedis). */
export async function readNotices(
  redis: Redis,
  keys: Keys,
  id: NoticeId,
  block: number,
): Promise<{ id: NoticeId; notice: Notice | undefined }[]> {
  const reply = await redis.xread('COUNT', 1_000, 'BLOCK', block, 'STREAMS', keys.notices(), id)
  const entries = reply?.[0]?.[1] ?? []
  return entries.map(([id, [, text = '']]) => ({ id, notice: fromText(text) }))
}
