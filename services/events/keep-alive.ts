import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { endedAmong } from '#shared/http/ended-sessions.ts'
import { liveTokens, tokenOfStreamKey } from '#shared/http/tokens.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { lifetime } from './schedule.ts'
import type { Slots } from './slots.ts'
import type { Stream } from './stream.ts'

const SECOND: Milliseconds = 1_000
/** Interface 6: a comment at least every 15 seconds; one second less allows for a late timer. */
const KEEP_ALIVE: Milliseconds = 14_000
/** Part of the ten seconds that a process has to stop (architecture 6). */
const ENDS_WITHIN: Milliseconds = 5_000
const EACH_END: Milliseconds = 2

/**
 * Visits every open stream at least every fourteen seconds: comment, lifetime, session, slot. A timer wheel with a
 * bucket per second; every stream is in exactly one bucket.
 */
export class KeepAlive {
  readonly #stores: Stores
  readonly #slots: Slots
  readonly #wheel = Array.from({ length: KEEP_ALIVE / SECOND + 1 }, () => new Set<Stream>())
  readonly #streams = new Set<Stream>()
  #second = 0
  #isEnding = false
  #startedAt: Milliseconds = 0
  #timer: NodeJS.Timeout | undefined

  constructor(stores: Stores, slots: Slots) {
    this.#stores = stores
    this.#slots = slots
  }

  start() {
    this.#startedAt = performance.now()
    this.#timer = setInterval(() => this.#tick(), SECOND)
  }

  get size(): number {
    return this.#streams.size
  }

  add(stream: Stream): () => void {
    // Spread, so that tabs opened together do not reconnect together.
    stream.endsAt = performance.now() + lifetime(Math.random())
    this.#streams.add(stream)
    this.#bucket(this.#second + 1 + Math.floor((Math.random() * KEEP_ALIVE) / SECOND)).add(stream)
    // Accepted just before the listener was closed.
    if (this.#isEnding) stream.end()
    return () => {
      this.#streams.delete(stream)
      for (const bucket of this.#wheel) bucket.delete(stream)
    }
  }

  /** Ends the streams of these sessions at once. */
  endSessions(sessions: readonly string[]) {
    const ended = new Set(sessions)
    for (const stream of this.#streams) if (ended.has(stream.session)) stream.end()
  }

  /** Ends this person's streams whose session has ended, for notices of too many sessions to name. */
  async endSessionsOf(viewer: Username): Promise<void> {
    const streams = [...this.#streams].filter(stream => stream.viewer === viewer && stream.isOpen)
    if (streams.length === 0) return
    try {
      await this.#endWithoutSession(streams)
    } catch (err) {
      log.debug({ err }, 'sessions not checked')
    }
  }

  /** Ends all streams, spread over time so that the reconnecting tabs do not overload the gateways. */
  async endAll(): Promise<void> {
    this.#isEnding = true
    await this.endOpen()
  }

  /** Ends the streams that are open now, and goes on with later ones. */
  async endOpen(): Promise<void> {
    const left = [...this.#streams]
    const spread = Math.min(ENDS_WITHIN, left.length * EACH_END)
    await Promise.all(
      left.map(async (stream, i) => {
        await new Promise(resolve => setTimeout(resolve, (i / left.length) * spread))
        stream.end()
      }),
    )
  }

  stop() {
    clearInterval(this.#timer)
  }

  #tick() {
    const time = performance.now()
    for (const stream of this.#streams) if (stream.isStalled) stream.dropIfStuck(time)
    // After a pause of the process, several buckets are due.
    const second = Math.floor((time - this.#startedAt) / SECOND)
    while (this.#second < second) void this.#visit(this.#bucket(++this.#second), time)
  }

  #bucket(second: number) {
    return this.#wheel[second % this.#wheel.length]!
  }

  async #visit(bucket: Set<Stream>, time: Milliseconds) {
    const visited = [...bucket]
    bucket.clear()
    for (const stream of visited) {
      if (stream.endsAt <= time) stream.end()
      if (!stream.isOpen) continue
      stream.keepAlive()
      const wait = Math.min(KEEP_ALIVE, Math.max(stream.endsAt - time, SECOND))
      this.#bucket(this.#second + Math.floor(wait / SECOND)).add(stream)
    }
    const open = visited.filter(stream => stream.isOpen)
    if (open.length === 0) return
    try {
      await Promise.all([this.#endWithoutSession(open), this.#slots.keep(open)])
    } catch (err) {
      // Sessions and slots are checked again in fourteen seconds; no stream ends because Redis is away.
      log.debug({ err }, 'streams not checked')
    }
  }

  /** Covers lost notices of ended sessions and tokens, and tokens that have expired. */
  async #endWithoutSession(streams: Stream[]) {
    const isByToken = ({ session }: Stream) => tokenOfStreamKey(session) !== undefined
    const byToken = streams.filter(isByToken)
    const bySession = streams.filter(stream => !isByToken(stream))
    await Promise.all([this.#endOfSessions(bySession), this.#endOfTokens(byToken)])
  }

  async #endOfSessions(streams: Stream[]) {
    const sessions = [...new Set(streams.map(stream => stream.session))]
    if (sessions.length === 0) return
    const gone = await this.#goneAmong(sessions)
    for (const stream of streams) if (gone.has(stream.session)) stream.end()
  }

  async #endOfTokens(streams: Stream[]) {
    if (streams.length === 0) return
    const ids = new Set(streams.map(({ session }) => tokenOfStreamKey(session)!))
    const live = await liveTokens(this.#stores, [...ids])
    for (const stream of streams)
      if (live.get(tokenOfStreamKey(stream.session)!) !== stream.viewer) stream.end()
  }

  async #goneAmong(sessions: string[]): Promise<Set<string>> {
    const { redis, keys, db } = this.#stores
    const checks = redis.pipeline()
    for (const session of sessions) checks.exists(keys.session(session))
    const answers = (await checks.exec().catch(() => null)) ?? []
    // Without Redis, the database tells which sessions were ended.
    if (sessions.some((_, i) => answers[i] === undefined || answers[i][0] !== null))
      return endedAmong(db, sessions)
    return new Set(sessions.filter((_, i) => answers[i]?.[1] === 0))
  }
}
