import type { Milliseconds } from '#shared/domain/units.ts'
import { unusable } from '#shared/runtime/variables.ts'
import { type Finding, good, ofFault, whyNot } from './finding.ts'
import { usableValue } from './variables.ts'

const ANSWERS_WITHIN: Milliseconds = 3_000

/** The address that others use: whether anything answers there. */
export async function examineAddresses(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  // In a container, neither the name of the office nor the front door is reachable.
  if (env['PUBLISHED_PORT']) return []
  return publicUrl(env)
}

async function publicUrl(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const url = usableValue(env, 'PUBLIC_URL')
  if (url === undefined) return []
  const reason = await whyUnanswered(new URL('/healthz', url))
  if (reason === undefined) return [good('address', `${url.origin} answers`)]
  const next = 'Correct it, or start what serves it: links for people have this address.'
  return [ofFault('address', 'warning')(unusable('PUBLIC_URL', url.href, reason, next))]
}

/** undefined if a server answers, whatever it says: browsers may trust a certificate that this machine does not know. */
export async function whyUnanswered(url: URL): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN), redirect: 'manual' })
    await response.body?.cancel()
    return undefined
  } catch (err) {
    const { code = '' } = ((err as Error).cause ?? {}) as { code?: string }
    if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return undefined
    return (err as Error).name === 'TimeoutError' ? 'no answer within 3 s' : whyNot(err)
  }
}
