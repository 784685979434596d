import type { IncomingMessage } from 'node:http'
import type { Milliseconds } from '#shared/domain/units.ts'
import { requestIdFrom } from '#shared/http/request-id.ts'
import { log } from '#shared/runtime/log.ts'

/** The single route of a gateway; the log has no other path. */
export const ROUTE = '/events'

/** Methods of the interface; any other is a scanner's. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A request as the log sees it: neither person, channel nor query. */
export class LoggedRequest {
  readonly id: string
  readonly #method: string
  readonly #route: string
  readonly #began: Milliseconds = performance.now()
  #isLogged = false

  constructor(req: IncomingMessage, trustProxy: number) {
    this.id = requestIdFrom(req.headers['x-request-id'], trustProxy)
    this.#method = METHODS.has(req.method ?? '') ? req.method! : 'other'
    this.#route = req.url?.split('?', 1)[0] === ROUTE ? ROUTE : 'other'
  }

  /** Logs the one line of this request, when its status is known: a stream may then last for hours. */
  answered(status: number) {
    this.#log({ status })
  }

  /** The client left before its response. */
  left() {
    this.#log({ cut: true })
  }

  #log(outcome: { status?: number; cut?: true }) {
    if (this.#isLogged) return
    this.#isLogged = true
    const ms = Math.round(performance.now() - this.#began)
    const facts = { id: this.id, method: this.#method, route: this.#route, ...outcome, ms }
    if ((outcome.status ?? 0) >= 500) log.warn(facts, 'request')
    else log.info(facts, 'request')
  }
}
