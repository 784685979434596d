import type { IncomingMessage } from 'node:http'

/** The address that Express calls `req.ip`, for a server without it: `hops` proxies are trusted (TRUST_PROXY). */
export function clientAddress({ socket, headers }: IncomingMessage, hops: number): string {
  const given = headers['x-forwarded-for']
  const forwarded = (Array.isArray(given) ? given.join(',') : (given ?? '')).split(',')
  const addresses = [
    socket.remoteAddress ?? '',
    ...forwarded
      .map(address => address.trim())
      .filter(address => address !== '')
      .reverse(),
  ]
  return addresses[Math.min(hops, addresses.length - 1)]!
}
