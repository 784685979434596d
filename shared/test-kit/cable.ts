import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A cable between our processes and a store, which a test can pull: connections break, new ones are refused. */
export class Cable {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  private constructor(target: URL) {
    this.#target = target
  }

  static async to(url: string): Promise<Cable> {
    const cable = new Cable(new URL(url))
    await cable.mend()
    return cable
  }

  /** The store's address by way of this cable. */
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

  async mend() {
    this.#server = createServer(near => {
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
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }
}
