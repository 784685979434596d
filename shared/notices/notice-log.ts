import type { Redis } from 'ioredis'
import { log } from '#shared/kernel/log.ts'
import { type Keys, NOTICES_KEPT } from '#shared/stores/keys.ts'
import { fromText, type Notice, toText } from './notice.ts'

/** The id of a notice in the log: the interface's «shared change counter» (6, rule 4). */
export type NoticeId = string

/** Appends; a failure is logged and swallowed: the write stands, and gateways look again by themselves. */
export async function appendNotice(redis: Redis, keys: Keys, notice: Notice): Promise<void> {
  try {
    await redis.xadd(keys.notices(), 'MAXLEN', '~', NOTICES_KEPT, '*', 'notice', toText(notice))
  } catch (err) {
    log.warn({ err, collections: notice.collections }, 'notice not published')
  }
}

/** The id of the newest notice; `0-0` when there is none. */
export async function newestNoticeId(redis: Redis, keys: Keys): Promise<NoticeId> {
  const [newest] = await redis.xrevrange(keys.notices(), '+', '-', 'COUNT', 1)
  return newest?.[0] ?? '0-0'
}

/** True when notices after `id` may be missing: they were trimmed, or Redis was emptied. */
export async function hasGapAfter(redis: Redis, keys: Keys, id: NoticeId): Promise<boolean> {
  if (id === '0-0') return false
  const known = await redis.xrange(keys.notices(), id, id)
  return known.length === 0
}

/** Waits up to `block` ms for notices after `id`. Wants a connection of its own (openBlockingRedis). */
export async function readNotices(
  redis: Redis,
  keys: Keys,
  id: NoticeId,
  block: number,
): Promise<{ id: NoticeId; notice: Notice | undefined }[]> {
  const reply = await redis.xread('COUNT', 1_000, 'BLOCK', block, 'STREAMS', keys.notices(), id)
  const entries = reply?.[0]?.[1] ?? []
  return entries.map(([entryId, fields]) => ({ id: entryId, notice: fromText(fields[1] ?? '') }))
}
