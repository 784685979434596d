import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { BusyShare } from './busy-share.ts'
import { SAFE_METHODS, SILENT } from './csrf.ts'

/** Requests of one person that are worked on at once in a process. */
const TURNS = 4
/** Requests of one person that wait at most, and how long. */
const MOST_WAITING = 200
const LONGEST_WAIT: Milliseconds = 5_000
const RETRY_AFTER: Seconds = 1
const MOST_REMEMBERED = 10_000

const DEFAULTS = {
  /**
   * A turn ends after this time at the latest, so that a search, an upload or a slow reader holds up nothing else of the
   * same person. Long requests have bounds of their own (at-once.ts).
   */
  longest: 100 as Milliseconds,
  /**
   * The time of a request counts for no more than this: on a loaded machine each takes long, and people at work must not
   * wait for that. The time that the process spent on it counts whole. The larger of both is charged.
   */
  dearest: 25 as Milliseconds,
  /** Part of a process that one person may keep busy. */
  share: 0.25,
  /** Time that a person who was quiet has in advance: some hundred requests. */
  burst: 1_500 as Milliseconds,
}

/**
 * Requests of one person take turns, and the time of their turns is a share of the process's: what others wait for a
 * process, the database and Redis does not grow with the connections that one account opens. Refuses only beyond
 * MOST_WAITING and LONGEST_WAIT. The limits of rates let a minute's requests come at once.
 */
export function takeTurns(stores: Stores, options = DEFAULTS): RequestHandler {
  const people = new LRUCache<Username, Turns>({ max: MOST_REMEMBERED })
  const busy = new BusyShare()

  return async (req, res, next) => {
    const viewer = viewerIn(req)
    const { rate_limit_enabled } = stores.settings.current
    if (!rate_limit_enabled) return next()
    if (viewer === undefined || isFree(req)) {
      busy.measure(req, res)
      return next()
    }
    const turns = people.get(viewer) ?? new Turns(options)
    people.set(viewer, turns)
    if (await turns.take(res, () => busy.measure(req, res))) next()
  }
}

/**
 * Files, their parts and media come in great numbers or for long, cost the process little, and have limits of their own;
 * so have the reports that cannot be refused.
 */
function isFree({ method, path }: Request) {
  if (method === 'POST') return SILENT.test(path) || path.endsWith('/media')
  return SAFE_METHODS.has(method) ? FILE.test(path) : path.startsWith('/uploads/')
}

const FILE = /^\/(files|avatar|card_picture|emoji|uploads)\/|\/media$/

/** The turns of one person. */
export class Turns {
  readonly #options: typeof DEFAULTS
  #running = 0
  readonly #waiting = new Set<() => void>()
  /** Time left for turns, as of `#at`. Negative after a long one. */
  #left: Milliseconds
  #at: Milliseconds = performance.now()
  #later: NodeJS.Timeout | undefined

  constructor(options: typeof DEFAULTS) {
    this.#options = options
    this.#left = options.burst
  }

  /** Resolves when it is this response's turn; false if its client has left. Throws 429 if too many wait. */
  async take(res: Response, measure: () => () => Milliseconds): Promise<boolean> {
    if (this.#waiting.size === 0 && this.#isFree()) this.#running++
    else if (!(await this.#place(res))) return false
    const began = performance.now()
    const spent = measure()
    let charged: Milliseconds = 0
    const charge = () => {
      const wait = Math.min(performance.now() - began, this.#options.dearest)
      const cost = Math.max(wait, spent(), charged)
      this.#charge(cost - charged)
      charged = cost
    }
    let isOver = false
    const end = () => {
      charge()
      if (!isOver) this.#running--
      isOver = true
      this.#startWaiting()
    }
    const late = setTimeout(end, this.#options.longest)
    res.once('close', () => {
      clearTimeout(late)
      end()
    })
    return true
  }

  /** Waits until a turn is handed over, or the client leaves. */
  #place(res: Response): Promise<boolean> {
    if (this.#waiting.size >= MOST_WAITING) throw errors.tooMany(RETRY_AFTER, 'turns')
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const leave = () => {
      this.#waiting.delete(start)
      clearTimeout(tooLate)
      res.off('close', left)
    }
    const start = () => {
      leave()
      resolve(true)
    }
    const left = () => {
      leave()
      resolve(false)
    }
    const tooLate = setTimeout(() => {
      leave()
      reject(errors.tooMany(RETRY_AFTER, 'turns'))
    }, LONGEST_WAIT)
    this.#waiting.add(start)
    res.once('close', left)
    this.#startWaiting()
    return promise
  }

  #charge(cost: Milliseconds) {
    this.#refill()
    this.#left -= cost
  }

  /** Hands turns to the requests that wait longest. */
  #startWaiting() {
    for (const start of this.#waiting) {
      if (!this.#isFree()) break
      this.#running++
      start()
    }
    if (this.#waiting.size === 0 || this.#left > 0) return
    this.#later ??= setTimeout(
      () => {
        this.#later = undefined
        this.#startWaiting()
      },
      1 - this.#left / this.#options.share,
    )
  }

  #isFree() {
    this.#refill()
    return this.#running < TURNS && this.#left > 0
  }

  #refill() {
    const now = performance.now()
    const { share, burst } = this.#options
    this.#left = Math.min(burst, this.#left + (now - this.#at) * share)
    this.#at = now
  }
}
