import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { type Finding, fault, good, reasonOf, warning } from './finding.ts'

const DAY = 86_400_000
/** Days; by then each device needs the next certificate. */
const SOON = 90

/** Whether browsers allow calls and notifications, and the authority that people were asked to trust. */
export function examineHttps(env: NodeJS.ProcessEnv): Finding[] {
  const address = env['PUBLIC_URL'] ?? ''
  const https = address.startsWith('https://')
    ? good('https', `people use ${address}`)
    : warning(
        'https',
        'PUBLIC_URL is no https address: browsers allow calls and notifications on this machine only',
        'See “HTTPS” in docs/operations.md; a local network needs no public name.',
      )
  const place = env['AUTHORITY_CERTIFICATE']
  // An address is that of the front door, which renews its certificates itself.
  return place && !/^https?:/.test(place) ? [https, authority(resolve(ROOT, place))] : [https]
}

function authority(file: string): Finding {
  const part = 'authority'
  try {
    const { ca, validTo, fingerprint256 } = new X509Certificate(readFileSync(file))
    if (!ca) return fault(part, `${file} is no certificate of an authority`, 'Name its root certificate.')
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY)
    if (days < SOON)
      return warning(
        part,
        `its certificate ends in ${days} days`,
        'Make the next one, and send people to /trust.',
      )
    return good(part, `/trust offers ${fingerprint256}`)
  } catch (err) {
    return fault(part, `${file}: ${reasonOf(err)}`, 'Correct AUTHORITY_CERTIFICATE.')
  }
}
