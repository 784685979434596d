import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy to a store: `cut` breaks connections and refuses new ones, `hold` and `freeze` silence them. */
export class NetworkLink {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  #isFrozen = false

  private constructor(target: URL) {
    this.#target = target
  }

  static async to(url: string): Promise<NetworkLink> {
    const link = new NetworkLink(new URL(url))
    await link.mend()
    return link
  }

  /** The store's URL through this proxy. */
  get url(): string {
    const through = new URL(this.#target)
    through.hostname = '127.0.0.1'
    through.port = String(this.#port)
    return through.href
  }

  async cut() {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#server = undefined
  }

  /** Drops all bytes on existing connections without closing them. New connections work. */
  hold() {
    for (const socket of this.#sockets) {
      socket.unpipe()
      socket.resume()
    }
  }

  /** Like `hold`, and new connections are accepted but silent until `mend`. */
  freeze() {
    this.#isFrozen = true
    this.hold()
  }

  async mend() {
    this.#isFrozen = false
    if (this.#server) return
    this.#server = createServer(near => this.#pass(near))
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  #pass(near: Socket) {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
    if (this.#isFrozen) this.hold()
  }
}
