import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy between browser and server, with the faults of real ones. */
export class BadProxy {
  /** Opens streams but holds back their data. */
  holdsStreams = false
  /** Refuses streams with this status. */
  refusesStreams: number | undefined
  /** Requests to these paths get only this status. */
  fails: { path: RegExp; status: number } | undefined
  /** Requests to these paths are executed, but their responses are lost. */
  losesAnswersOf: RegExp | undefined
  /** Responses of these paths break off within their bodies. */
  breaksAnswersOf: RegExp | undefined
  /**
   * Refuses requests to these paths half-way: announces a longer response than it sends, then breaks the connection.
   */
  refusesMidway: { path: RegExp; status: number; body: string } | undefined
  /** Requests to these paths wait until `mend`. */
  stalls: RegExp | undefined
  /** Requests so far, such as "POST /send/general". */
  readonly asked: string[] = []
  readonly #target: URL
  readonly #server: Server
  #waiting: (() => void)[] = []

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((req, res) => this.#pass(req, res))
  }

  static async to(target: string): Promise<BadProxy> {
    const proxy = new BadProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  count(what: RegExp): number {
    return this.asked.filter(one => what.test(one)).length
  }

  /** Ends all faults; stalled requests continue. */
  mend() {
    this.holdsStreams = false
    this.refusesMidway = undefined
    this.refusesStreams = this.fails = this.losesAnswersOf = this.breaksAnswersOf = this.stalls = undefined
    for (const go of this.#waiting.splice(0)) go()
  }

  close() {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #pass(req: IncomingMessage, res: ServerResponse) {
    const path = req.url!
    const isStream = path.startsWith('/events')
    this.asked.push(`${req.method} ${path}`)
    res.on('error', () => {})
    req.on('error', () => {})
    if (this.stalls?.test(path)) await new Promise<void>(resolve => this.#waiting.push(resolve))
    if (this.refusesMidway?.path.test(path)) {
      const { status, body } = this.refusesMidway
      res.writeHead(status, {
        'Content-Type': 'text/plain',
        'Content-Length': body.length + 1,
        // As in all responses of the product: without it a browser waits for more data, to sniff the type.
        'X-Content-Type-Options': 'nosniff',
      })
      return void res.write(body, () => setTimeout(() => res.destroy(), 100))
    }
    const refusal = isStream ? this.refusesStreams : this.fails?.path.test(path) && this.fails.status
    if (refusal) {
      req.resume()
      return void res.writeHead(refusal, { 'Content-Type': 'text/plain' }).end('no')
    }
    const loses = this.losesAnswersOf?.test(path)
    const upstream = request(
      {
        hostname: this.#target.hostname,
        port: this.#target.port,
        path,
        method: req.method,
        headers: req.headers,
      },
      answer => {
        answer.on('error', () => res.destroy())
        if (loses) return void answer.resume().on('end', () => res.destroy())
        res.writeHead(answer.statusCode!, answer.headers)
        res.flushHeaders()
        if (isStream && this.holdsStreams) answer.resume()
        else if (this.breaksAnswersOf?.test(path)) setImmediate(() => res.destroy())
        else answer.pipe(res)
      },
    )
    upstream.on('error', () => res.destroy())
    res.on('close', () => upstream.destroy())
    req.pipe(upstream)
  }
}
