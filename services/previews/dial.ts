import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { Milliseconds } from '#shared/rules/units.ts'
import { NotFetched } from './not-fetched.ts'

export interface Dialling {
  lookup: LookupFunction
  /** May this address be connected to? Asked for literals, for each answer of the resolver, and for the open socket. */
  mayConnect(address: string): boolean
  within: Milliseconds
  signal: AbortSignal
}

/**
 * A connection to the host of a URL, through TLS for https, with nothing sent on it yet.
 *
 * The socket resolves the name itself, through a hook that checks every answer: what was checked is what it connects
 * to, and a name that answers otherwise the second time (rebinding) is not asked a second time.
 */
export async function dial(url: URL, { lookup, mayConnect, within, signal }: Dialling): Promise<Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // The hook is not called for literals: Node connects to them as they are.
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
        // RFC 6066, section 3: a name without its last dot, and no address.
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
      new NotFetched('timeout', 'no connection', { isTemporary: true }),
    )
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    // Stays for the socket's life: an error between two owners must not end the process.
    socket.on('error', giveUp)
    // Before the handshake of TLS begins, which hangs on the same event.
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

/** All answers of the resolver, or none of them: one that may not be connected to spoils the name. */
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

const refused = () => new NotFetched('refused', 'the address is not public')
