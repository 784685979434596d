import { isIP } from 'node:net'
import type { Config } from '#shared/kernel/config.ts'

/** Endings that the public DNS gives to nobody. */
const LOCAL = ['.localhost', '.local', '.lan', '.home.arpa', '.internal']

/**
 * Tells whether a `Host` header names this server. A page of another site can make its own name lead to our address
 * (DNS rebinding), and browsers then take it for ours. Accepted are therefore the name of PUBLIC_URL, the names of
 * ALLOWED_HOSTS, and what no stranger can own: addresses, names without a dot, names of local networks. Ports do not
 * matter. A request without the header does not come from a browser.
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

/** As browsers write it: lower case, without port and final dot, addresses in brackets where they are of IPv6. */
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
