import { createHmac, randomUUID } from 'node:crypto'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import type { OutgoingRequest } from '#shared/jobs/outgoing-job.ts'
import { VERSION } from '#shared/runtime/version.ts'

const WITHIN: Milliseconds = 3_000

/** The request to the program of a command, signed as Slack and as Standard Webhooks do. `secret`: `whsec_…`. */
export function commandRequest(
  url: string,
  fields: Record<string, string>,
  { secret, verifyToken, now }: { secret: string; verifyToken: string; now: Seconds },
): OutgoingRequest {
  const body = new URLSearchParams(fields).toString()
  const id = `cmd_${randomUUID()}`
  const ts = String(Math.floor(now))
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json, text/plain;q=0.9',
      'user-agent': `bothy/${VERSION}`,
      authorization: `Token ${verifyToken}`,
      'x-slack-request-timestamp': ts,
      'x-slack-signature': `v0=${hmac(secret, `v0:${ts}:${body}`).digest('hex')}`,
      'webhook-id': id,
      'webhook-timestamp': ts,
      'webhook-signature': `v1,${hmac(bytes, `${id}.${ts}.${body}`).digest('base64')}`,
    },
    body: Buffer.from(body).toString('base64'),
    timeout_ms: WITHIN,
    guard: 'hooks',
  }
}
