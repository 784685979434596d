import { createSocket, type RemoteInfo, type Socket, type SocketOptions } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import type { Settings } from '#shared/runtime/settings.ts'
import { Allowance } from './allowance.ts'
import { localNetwork } from './local-network.ts'
import { answerTo, readBindingRequest } from './message.ts'

/** Retry interval for taken ports and missing addresses, and for reading changed networks. */
const LOOK_AGAIN: Milliseconds = 30_000
/** Bytes that the kernel buffers while earlier packets are served (security 9). */
const RECEIVE_BUFFER = 1024 * 1024

/** The default addresses to listen on. */
const EVERYWHERE = ['0.0.0.0', '::']

interface Wish {
  /** Addresses to listen on; if empty, all, but serving only the local network (security 9). */
  bind: readonly string[]
  port(): number
  limits(): Pick<Settings, 'rate_limit_enabled' | 'rate_limits'>
}

/** A UDP socket per address; for each packet at most one response, to its source. */
export class Responder {
  readonly #wish: Wish
  readonly #sockets = new Map<string, Socket>()
  readonly #failures = new Map<string, string>()
  readonly #allowance = new Allowance()
  #isLocal = localNetwork()
  #port = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(wish: Wish) {
    this.#wish = wish
  }

  /**
   * Never fails: calls within a network need no STUN server, and a taken port may become free. Logs the fault and tries
   * again.
   */
  async start() {
    await this.refresh()
    this.#timer = setInterval(() => void this.refresh(), LOOK_AGAIN)
  }

  async stop() {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#closeAll()
  }

  /** Opens missing sockets, on the port of the settings. */
  async refresh() {
    this.#isLocal = localNetwork()
    const port = this.#wish.port()
    if (port !== this.#port) await this.#closeAll()
    this.#port = port
    const addresses = this.#wish.bind.length > 0 ? this.#wish.bind : EVERYWHERE
    await Promise.all(
      addresses.filter(address => !this.#sockets.has(address)).map(address => this.#open(address, port)),
    )
  }

  async #open(address: string, port: number) {
    const socket = createSocket(
      isIPv6(address) ? { type: 'udp6', ipv6Only: true, lookup: asItIs } : { type: 'udp4', lookup: asItIs },
    )
    this.#sockets.set(address, socket)
    try {
      await bound(socket, address, port)
    } catch (err) {
      if (this.#sockets.get(address) === socket) this.#sockets.delete(address)
      return this.#noteFailure(address, port, err as NodeJS.ErrnoException)
    }
    this.#failures.delete(address)
    enlargeBuffer(socket)
    socket.on('message', (datagram, from) => this.#answer(socket, datagram, from))
    socket.on('error', err => {
      log.warn({ err, address, port }, 'UDP socket failed')
      socket.close()
      this.#sockets.delete(address)
    })
    log.info({ address, port: socket.address().port }, 'listening (UDP)')
    if (this.#stopped) await this.#closeAll()
  }

  #answer(socket: Socket, datagram: Buffer, from: RemoteInfo) {
    if (this.#wish.bind.length === 0 && !this.#isLocal(from.address)) return
    const request = readBindingRequest(datagram)
    if (!request || from.port === 0) return
    const { rate_limit_enabled, rate_limits } = this.#wish.limits()
    if (rate_limit_enabled && !this.#allowance.take(from.address, rate_limits.anonymous, performance.now()))
      return
    // A failed send equals a lost packet: the client retransmits (RFC 8489, 6.2.1).
    socket.send(answerTo(request, from.address, from.port), from.port, from.address, () => {})
  }

  /** Logs each reason once, since retries come every half minute. */
  #noteFailure(address: string, port: number, err: NodeJS.ErrnoException) {
    if (this.#failures.get(address) === err.code) return
    this.#failures.set(address, err.code ?? err.message)
    // A missing IPv6 is not a fault.
    const isFault = isIPv6(address) ? !['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(err.code ?? '') : true
    const message =
      err.code === 'EADDRINUSE' ? 'UDP port is taken: no STUN until it is free' : 'no UDP socket'
    log[isFault ? 'warn' : 'info']({ err, address, port }, message)
  }

  async #closeAll() {
    const open = [...this.#sockets.values()]
    this.#sockets.clear()
    await Promise.all(open.map(closed))
  }
}

/** Replaces name resolution: only addresses get here. */
const asItIs: NonNullable<SocketOptions['lookup']> = (address, _options, found) =>
  found(null, address, isIPv6(address) ? 6 : 4)

function bound(socket: Socket, address: string, port: number) {
  return new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address, port }, () => {
      socket.off('error', reject)
      resolve()
    })
  })
}

function enlargeBuffer(socket: Socket) {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER)
  } catch (err) {
    // Some systems refuse sizes that others reduce.
    log.info({ err }, 'receive buffer stays as it is')
  }
}

function closed(socket: Socket) {
  return new Promise<void>(resolve => {
    try {
      socket.close(() => resolve())
    } catch {
      // ERR_SOCKET_DGRAM_NOT_RUNNING: the socket has closed itself after an error.
      resolve()
    }
  })
}
