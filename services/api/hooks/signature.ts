import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Seconds } from '#shared/domain/units.ts'
import { jsonIn } from './read-body.ts'
import { standardKey } from './secret-texts.ts'

/** Clocks may differ by this much where the signature covers the time, as Standard Webhooks says. */
const TOLERANCE: Seconds = 300

type Expected = (secret: string, body: Buffer, headers: IncomingHttpHeaders) => string[]

/** Headers by which senders prove that they know the secret of a hook, with the value that is expected. */
const EXPECTED: Record<string, Expected> = {
  'x-hub-signature-256': (secret, body) => [`sha256=${hmac(secret, body)}`],
  'x-hub-signature': (secret, body) => [`sha256=${hmac(secret, body)}`],
  // Gitea signs the JSON alone where it sends a form.
  'x-gitea-signature': (secret, body, headers) => [
    hmac(secret, body),
    hmac(secret, Buffer.from(jsonIn(body, headers['content-type']))),
  ],
  'x-forgejo-signature': (secret, body) => [hmac(secret, body)],
  'sentry-hook-signature': (secret, body) => [hmac(secret, body)],
  // Headers arrive as bytes.
  'x-gitlab-token': secret => [Buffer.from(secret).toString('latin1')],
  'x-grafana-alerting-signature': (secret, body, headers) => {
    const time = headers['x-grafana-alerting-timestamp']
    return typeof time === 'string'
      ? [hmac(secret, Buffer.concat([Buffer.from(`${time}:`), body]))]
      : [hmac(secret, body)]
  },
}

/** True if a header has the right signature of the body. */
export function isSigned(secret: string, body: Buffer, headers: IncomingHttpHeaders, now: Seconds): boolean {
  return (
    hasStandardSignature(secret, body, headers, now) ||
    Object.entries(EXPECTED).some(([name, expected]) => {
      const given = headers[name]
      return typeof given === 'string' && expected(secret, body, headers).some(value => isSame(given, value))
    })
  )
}

/** Of Standard Webhooks, as GitLab signs: one of several signatures, of id, time and body. */
function hasStandardSignature(
  secret: string,
  body: Buffer,
  { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given }: IncomingHttpHeaders,
  now: Seconds,
): boolean {
  const key = standardKey(secret)
  if (key === undefined || typeof id !== 'string' || typeof time !== 'string' || typeof given !== 'string')
    return false
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > TOLERANCE) return false
  const mac = createHmac('sha256', key).update(`${id}.${time}.`, 'latin1').update(body).digest('base64')
  return given.split(' ').some(one => isSame(one, `v1,${mac}`))
}

const hmac = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex')

/** In constant time, also for other lengths. */
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected))
const digest = (text: string) => createHash('sha256').update(text).digest()
