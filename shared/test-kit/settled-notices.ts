import type { Redis } from 'ioredis'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type NoticeId, newestNoticeId } from '#shared/notices/notice-log.ts'
import type { Keys } from '#shared/stores/keys.ts'

const QUIET: Milliseconds = 150

/**
 * Returns the id of the newest notice once none has come for QUIET. A process publishes the notice of a write after it has
 * answered the request, so that a test which counts notices first waits for those of its preparation.
 */
export async function settledNoticeId(redis: Redis, keys: Keys): Promise<NoticeId> {
  for (let id = await newestNoticeId(redis, keys); ; ) {
    await new Promise(resolve => setTimeout(resolve, QUIET))
    const newest = await newestNoticeId(redis, keys)
    if (newest === id) return id
    id = newest
  }
}
