import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A check of /readyz: throws or rejects while its store is unavailable. */
export type ReadinessCheck = () => Promise<unknown>

export class Health {
  #draining = false
  readonly #checks: Record<string, ReadinessCheck>
  #checked: { at: number; failed: Promise<string[]> } | undefined

  constructor(checks: Record<string, ReadinessCheck> = {}) {
    this.#checks = checks
  }

  /** Makes /readyz fail, so that a load balancer sends no new requests. */
  drain() {
    this.#draining = true
  }

  /** Names of the stores that are checked. */
  get stores(): string[] {
    return Object.keys(this.#checks)
  }

  /**
   * Handles /healthz and /readyz; returns false for other paths. /readyz describes this process: a store that is away is
   * away for all processes, so taking one of them out of a load balancer helps nobody. /readyz?stores checks them too.
   */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const [path, query] = req.url?.split('?', 2) ?? []
    if (path === '/healthz') send(res, 200, 'ok')
    else if (path === '/readyz') void this.#answerReady(res, query === 'stores')
    else return false
    return true
  }

  async #answerReady(res: ServerResponse, withStores: boolean) {
    const failed = withStores ? await this.unavailableStores() : []
    if (this.#draining) return send(res, 503, 'stopping')
    if (failed.length > 0) return send(res, 503, `waiting for ${failed.join(', ')}`)
    send(res, 200, 'ready')
  }

  /** Names of failing checks, cached for a second, since anyone at the front door may request them. */
  unavailableStores(): Promise<string[]> {
    const now = performance.now()
    if (this.#checked === undefined || now - this.#checked.at >= KEPT) {
      this.#checked = { at: now, failed: this.#check() }
    }
    return this.#checked.failed
  }

  async #check() {
    const names = Object.keys(this.#checks)
    const results = await Promise.allSettled(names.map(name => withTimeout(this.#checks[name]!())))
    return names.filter((_, i) => results[i]!.status === 'rejected')
  }
}

/** Milliseconds for which results of the checks are cached. */
const KEPT = 1_000

const CHECK_TIMEOUT = 2_000

async function withTimeout(check: Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), CHECK_TIMEOUT)
  })
  try {
    return await Promise.race([check, late])
  } finally {
    clearTimeout(timer)
  }
}

function send(res: ServerResponse, status: number, body: string) {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
  res.end(`${body}\n`)
}

/** For processes without another HTTP server. */
export function healthServer(health: Health): Server {
  return createServer((req, res) => {
    if (!health.answer(req, res)) send(res, 404, 'not found')
  })
}
