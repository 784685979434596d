import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Part of the time in which a backup works, above 0; 1 never rests. */
export type Share = number

/** Share of the nightly backup: the median send is then as fast as without one (infra/bench/backups.ts, ADR 12). */
export const NIGHT_SHARE: Share = 0.1

/** Rests shorter than this are saved up: a timer is no more exact. */
const SHORTEST_REST: Milliseconds = 4
/** Also after a long wait for the disk. */
const LONGEST_REST: Milliseconds = 200

/**
 * Passes what comes, and rests in proportion to the time that it took to come and go. During a rest the source goes on
 * until the buffers in between are full.
 */
export class Pace extends Transform {
  readonly #share: Share
  readonly #now: () => Milliseconds
  #since: Milliseconds
  #owed: Milliseconds = 0
  #timer: NodeJS.Timeout | undefined

  constructor(share: Share, now: () => Milliseconds = () => performance.now()) {
    super()
    this.#share = share
    this.#now = now
    this.#since = now()
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback) {
    const now = this.#now()
    this.#owed += (now - this.#since) * (1 / this.#share - 1)
    this.#since = now
    if (this.#owed < SHORTEST_REST) return done(null, chunk)
    this.#timer = setTimeout(
      () => {
        this.#since = this.#now()
        done(null, chunk)
      },
      Math.min(this.#owed, LONGEST_REST),
    )
    this.#owed = 0
  }

  override _destroy(err: Error | null, done: (err?: Error | null) => void) {
    clearTimeout(this.#timer)
    done(err)
  }
}

/** `source` at that pace, with its errors. */
export function paced(source: Readable, share: Share | undefined): Readable {
  if (share === undefined || share >= 1) return source
  return pipeline(source, new Pace(share), () => {})
}
