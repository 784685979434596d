import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { jsonIn } from './read-body.ts'

/** Headers by which senders prove that they know the secret of a hook, with the value that is expected. */
const EXPECTED: Record<string, (secret: string, body: Buffer, headers: IncomingHttpHeaders) => string[]> = {
  'x-hub-signature-256': (secret, body) => [`sha256=${hmac(secret, body)}`],
  'x-hub-signature': (secret, body) => [`sha256=${hmac(secret, body)}`],
  // Gitea signs the JSON alone where it sends a form.
  'x-gitea-signature': (secret, body, headers) => [
    hmac(secret, body),
    hmac(secret, Buffer.from(jsonIn(body, headers['content-type']))),
  ],
  'x-forgejo-signature': (secret, body) => [hmac(secret, body)],
  'sentry-hook-signature': (secret, body) => [hmac(secret, body)],
  'x-gitlab-token': secret => [secret],
  'x-grafana-alerting-signature': (secret, body, headers) => {
    const time = headers['x-grafana-alerting-timestamp']
    return typeof time === 'string'
      ? [hmac(secret, Buffer.concat([Buffer.from(`${time}:`), body]))]
      : [hmac(secret, body)]
  },
}

/** True if a header has the right signature of the body. */
export function isSigned(secret: string, body: Buffer, headers: IncomingHttpHeaders): boolean {
  return Object.entries(EXPECTED).some(([name, expected]) => {
    const given = headers[name]
    return typeof given === 'string' && expected(secret, body, headers).some(value => isSame(given, value))
  })
}

const hmac = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex')

/** In constant time, also for other lengths. */
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected))
const digest = (text: string) => createHash('sha256').update(text).digest()
