import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isSecure } from '#shared/domain/checks.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { unusable } from '#shared/runtime/variables.ts'
import { whyUnanswered } from './addresses.ts'
import { type Finding, good, ofFault, warning, whyNot } from './finding.ts'
import { usableValue } from './variables.ts'

const DAY = 86_400_000
/** Days; by then each device needs the next certificate. */
const SOON = 90

/** Whether browsers allow calls and notifications, and the authority that people were asked to trust. */
export async function examineHttps(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const address = usableValue(env, 'PUBLIC_URL')
  const https =
    address !== undefined && isSecure(address.protocol)
      ? good('https', `people use ${address.origin}`)
      : warning(
          'https',
          'PUBLIC_URL is no https address: browsers allow calls and notifications on this machine only',
          'See “HTTPS” in docs/operations.md; a local network needs no public name.',
        )
  const place = env['AUTHORITY_CERTIFICATE']
  if (!place || usableValue(env, 'AUTHORITY_CERTIFICATE') === undefined) return [https]
  return [https, ...(await (/^https?:/.test(place) ? served(place, env) : authority(resolve(ROOT, place))))]
}

const NEXT = 'Correct or remove it: people at /trust get no certificate.'
const PART = 'authority'

/** An address is that of the front door, which renews its certificates itself. */
async function served(place: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  // In a container, the networks of the front door are out of reach.
  if (env['PUBLISHED_PORT']) return []
  const reason = await whyUnanswered(new URL(place))
  return reason === undefined
    ? []
    : [ofFault(PART, 'warning')(unusable('AUTHORITY_CERTIFICATE', place, reason, NEXT))]
}

function authority(file: string): Finding[] {
  const part = PART
  const told = (reason: string) => [ofFault(part)(unusable('AUTHORITY_CERTIFICATE', file, reason, NEXT))]
  try {
    const { ca, validTo, fingerprint256 } = new X509Certificate(readFileSync(file))
    if (!ca) return told('this is no certificate of an authority')
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY)
    if (days < SOON)
      return [
        warning(
          part,
          `its certificate ends in ${days} days`,
          'Make the next one, and send people to /trust.',
        ),
      ]
    return [good(part, `/trust offers ${fingerprint256}`)]
  } catch (err) {
    return told(`the certificate cannot be read: ${whyNot(err)}`)
  }
}
