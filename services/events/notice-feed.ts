import type { Redis } from 'ioredis'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Notice } from '#shared/notices/notice.ts'
import { hasGapAfter, type NoticeId, newestNoticeId, readNotices } from '#shared/notices/notice-log.ts'
import { log } from '#shared/runtime/log.ts'
import type { Keys } from '#shared/stores/keys.ts'
import { connectRedis } from '#shared/stores/redis.ts'
import { noticeLags } from './metrics.ts'

const BLOCK: Milliseconds = 5_000
/** A read that takes longer is on a dead connection. */
const ANSWERS_WITHIN: Milliseconds = BLOCK + 2_000
/** Interval of full re-evaluations while Redis is away (security 13). */
const LOOK_EVERY: Milliseconds = 2_000
/** Writers may reconnect to Redis later than this gateway; their writes until then have no notice. */
const LOOK_AFTERWARDS: Milliseconds = 6_000

/** Redis begins an id with its time, ms. */
const timeOf = (id: NoticeId): Milliseconds => Number(id.split('-', 1)[0])

export interface NoticeListener {
  onNotice(notice: Notice): void
  /** Called when notices may have been lost. */
  onGap(): void
}

/** Follows the notice log from the last id seen, across reconnects. */
export class NoticeFeed {
  /** A separate connection, because reads block. */
  readonly #redis: Redis
  readonly #keys: Keys
  readonly #listener: NoticeListener
  #last: NoticeId = '0-0'
  #stopped = false
  #isAway = false
  #looking: NodeJS.Timeout | undefined
  #calming: NodeJS.Timeout | undefined
  #hasWarned = false

  constructor(redis: Redis, keys: Keys, listener: NoticeListener) {
    this.#redis = redis
    this.#keys = keys
    this.#listener = listener
  }

  async start() {
    await connectRedis(this.#redis)
    this.#last = await newestNoticeId(this.#redis, this.#keys)
    this.#redis.on('close', () => this.#lookMeanwhile())
    void this.#follow()
  }

  stop() {
    this.#stopped = true
    clearInterval(this.#looking)
    clearTimeout(this.#calming)
    this.#redis.disconnect()
  }

  async #follow() {
    while (!this.#stopped) {
      try {
        await this.#readOnce()
        if (this.#isAway) await this.#backAgain()
      } catch (err) {
        if (this.#stopped) return
        this.#lookMeanwhile()
        log.debug({ err }, 'notices not read')
        await new Promise(resolve => setTimeout(resolve, 100))
      }
    }
  }

  async #readOnce() {
    const late = setTimeout(() => this.#redis.disconnect(true), ANSWERS_WITHIN)
    const before = this.#last
    try {
      const entries = await readNotices(this.#redis, this.#keys, before, BLOCK)
      for (const { id, notice } of entries) {
        this.#last = id
        noticeLags.observe(Math.max(0, Date.now() - timeOf(id)) / 1_000)
        if (notice) this.#listener.onNotice(notice)
      }
      if (entries.some(({ notice }) => notice === undefined)) this.#noteUnreadable()
      await this.#checkForGap(before)
    } finally {
      clearTimeout(late)
    }
  }

  /** Counts as a gap. Processes of two releases run side by side during an upgrade: the form may be that of the other. */
  #noteUnreadable() {
    if (!this.#hasWarned) log.warn('notices of another form: everything is evaluated')
    this.#hasWarned = true
    this.#listener.onGap()
  }

  /**
   * Checks that the log still has the notice `before`. If not, newer ones may have been trimmed with it, or Redis was
   * emptied and ids may have restarted.
   */
  async #checkForGap(before: NoticeId) {
    if (!(await hasGapAfter(this.#redis, this.#keys, before))) return
    if (this.#last === before) this.#last = await newestNoticeId(this.#redis, this.#keys)
    log.info('notices were missed: everything is looked at')
    this.#listener.onGap()
  }

  #lookMeanwhile() {
    if (this.#stopped || this.#isAway) return
    this.#isAway = true
    log.warn('notices not followed: looking at everything every two seconds')
    clearTimeout(this.#calming)
    this.#looking ??= setInterval(() => this.#listener.onGap(), LOOK_EVERY)
  }

  async #backAgain() {
    this.#isAway = false
    log.info('notices followed again')
    this.#listener.onGap()
    this.#calming = setTimeout(() => {
      clearInterval(this.#looking)
      this.#looking = undefined
    }, LOOK_AFTERWARDS)
  }
}
