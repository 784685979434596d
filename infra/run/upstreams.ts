import { get } from 'node:http'

/** The addresses (`http://host:port`) of the processes of one kind; called for every request. */
export type Upstreams = () => readonly string[]

/** Time for which an upstream that refused a connection comes last, ms. */
const SHUNNED_FOR = 1_000
/** Interval of health checks while a request waits for its first byte, ms. */
const LOOK_EVERY = 3_000
/** Time limit of a health check, ms; beyond it the upstream is frozen. A freeze is noticed after 3 + 2 = 5 s. */
const LIVES_WITHIN = 2_000
/** Pause between two health checks of a frozen upstream, ms. */
const ASK_AGAIN = 1_000

/**
 * The processes of one kind, round robin. Processes that lately refused a connection come last. A frozen process (stopped,
 * or blocked for seconds) still accepts connections, so /healthz tells it from a slow one; it gets no requests until
 * /healthz responds.
 */
export class Pool {
  #turn = 0
  #isClosed = false
  readonly #upstreams: Upstreams
  readonly #shunned = new Map<string, number>()
  readonly #frozen = new Set<string>()
  readonly #asked = new Set<string>()
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(upstreams: Upstreams) {
    this.#upstreams = upstreams
  }

  candidates(): string[] {
    const all = this.#upstreams()
    const start = all.length > 0 ? this.#turn++ % all.length : 0
    const inTurn = [...all.slice(start), ...all.slice(0, start)]
    return inTurn.sort((a, b) => this.#rank(a) - this.#rank(b))
  }

  /** Whether another upstream is available. */
  hasOther(upstream: string): boolean {
    return this.#upstreams().some(other => other !== upstream && this.#rank(other) === 0)
  }

  shun(upstream: string) {
    this.#shunned.set(upstream, Date.now() + SHUNNED_FOR)
  }

  /**
   * Watches an upstream while a request waits for its response. `onFrozen` may be called several times, `onLook` every
   * three seconds. Returns the function that ends the watch.
   */
  watch(upstream: string, onFrozen: () => void, onLook: () => void): () => void {
    const waiting = this.#waiting.get(upstream) ?? new Set()
    this.#waiting.set(upstream, waiting.add(onFrozen))
    const timer = setInterval(() => {
      onLook()
      if (waiting.has(onFrozen)) void this.#ask(upstream)
    }, LOOK_EVERY)
    return () => {
      clearInterval(timer)
      waiting.delete(onFrozen)
      if (waiting.size === 0 && this.#waiting.get(upstream) === waiting) this.#waiting.delete(upstream)
    }
  }

  close() {
    this.#isClosed = true
  }

  #rank(upstream: string): number {
    if (this.#frozen.has(upstream)) return 2
    return (this.#shunned.get(upstream) ?? 0) > Date.now() ? 1 : 0
  }

  async #ask(upstream: string) {
    if (this.#asked.has(upstream)) return
    this.#asked.add(upstream)
    while (!this.#isClosed && this.#upstreams().includes(upstream) && !(await lives(upstream))) {
      this.#frozen.add(upstream)
      for (const onFrozen of [...(this.#waiting.get(upstream) ?? [])]) onFrozen()
      await new Promise(resolve => setTimeout(resolve, ASK_AGAIN).unref())
    }
    this.#frozen.delete(upstream)
    this.#asked.delete(upstream)
  }
}

/**
 * False if it accepts a connection and sends nothing. A dead process refuses connections, which requests notice
 * themselves.
 */
function lives(upstream: string): Promise<boolean> {
  return new Promise(resolve => {
    const ask = get(`${upstream}/healthz`, { agent: false, timeout: LIVES_WITHIN }, response => {
      response.resume()
      resolve(true)
    })
    ask.once('error', () => resolve(true))
    ask.once('timeout', () => {
      resolve(false)
      ask.destroy()
    })
  })
}
