import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { Milliseconds } from '#shared/domain/units.ts'
import { FetchError } from './fetch-error.ts'

export interface Dialling {
  lookup: LookupFunction
  /** True if the address may be connected to. Called for literals, each resolved address, and the open socket. */
  mayConnect(address: string): boolean
  within: Milliseconds
  signal: AbortSignal
}

/**
 * Opens a connection to the host of a URL, with TLS for https, and sends nothing on it.
 *
 * The socket resolves the name through a hook that checks every address, and connects to a checked one. It never
 * resolves the name again, so DNS rebinding has no effect.
 */
export async function dial(url: URL, { lookup, mayConnect, within, signal }: Dialling): Promise<Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // Node does not call the hook for literals.
  if (isIP(host) && !mayConnect(host)) throw refused()
  signal.throwIfAborted()

  const isSecure = url.protocol === 'https:'
  const target = {
    host,
    port: Number(url.port || (isSecure ? 443 : 80)),
    lookup: checkedLookup(lookup, mayConnect),
    autoSelectFamily: true,
  }
  const socket = isSecure
    ? tlsConnect({
        ...target,
        // RFC 6066, section 3: a name without its trailing dot; no addresses.
        servername: isIP(host) ? '' : host.replace(/\.$/, ''),
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      })
    : netConnect(target)

  return new Promise((resolve, reject) => {
    const giveUp = (why: unknown) => {
      finish()
      socket.destroy()
      reject(why)
    }
    const onAbort = () => giveUp(signal.reason)
    const timer = setTimeout(
      giveUp,
      within,
      new FetchError('timeout', 'no connection', { isTemporary: true }),
    )
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    // Never removed: an error between two owners must not end the process.
    socket.on('error', giveUp)
    // Prepended to run before the TLS handshake, which starts on the same event.
    socket.prependOnceListener('connect', () => {
      if (!mayConnect(socket.remoteAddress ?? '')) giveUp(refused())
    })
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      if (socket.destroyed) return
      finish()
      resolve(socket)
    })
  })
}

/** Refuses a name if any of its addresses may not be connected to. */
function checkedLookup(lookup: LookupFunction, mayConnect: Dialling['mayConnect']): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (err, found) => {
      if (err) return callback(err, [])
      const addresses = Array.isArray(found) ? found : []
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => mayConnect(address))) return callback(refused(), [])
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
}

const refused = () => new FetchError('refused', 'the address is not public')
