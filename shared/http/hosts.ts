import { isIP } from 'node:net'
import type { Config } from '#shared/runtime/config.ts'

/** Suffixes that the public DNS does not delegate. */
const LOCAL = ['.localhost', '.local', '.lan', '.home.arpa', '.internal']

/**
 * Tells whether a `Host` header names this server. Another site can resolve its own name to this server's address (DNS
 * rebinding), and browsers then take its pages for same-origin. Therefore accepts only the host of PUBLIC_URL, the
 * names of ALLOWED_HOSTS, and hosts that strangers cannot own: addresses, names without a dot, names of local networks.
 * Ignores ports. A request without the header does not come from a browser.
 */
export function hostCheck({
  publicUrl,
  allowedHosts,
}: Pick<Config, 'publicUrl' | 'allowedHosts'>): (host: string | undefined) => boolean {
  const ours = new Set(allowedHosts)
  if (publicUrl) ours.add(publicUrl.hostname)
  return host => {
    if (host === undefined) return true
    const name = hostnameOf(host)
    return name !== undefined && (ours.has(name) || isLocal(name))
  }
}

/** The host in browser notation: lower case, without port and trailing dot, IPv6 addresses in brackets. */
function hostnameOf(host: string) {
  if (/[/?#@\\\s]/.test(host)) return undefined
  const address = `http://${host}`
  if (!URL.canParse(address)) return undefined
  return new URL(address).hostname.replace(/\.$/, '')
}

function isLocal(name: string) {
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true
  return name !== '' && (!name.includes('.') || LOCAL.some(ending => name.endsWith(ending)))
}
