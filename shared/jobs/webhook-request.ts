import { createHmac } from 'node:crypto'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { VERSION } from '#shared/runtime/version.ts'

/** Body of a request as JSON, in the format `standard` (interface 19.5). */
export interface OutgoingEvent {
  type: string
  /** ISO 8601. */
  timestamp: string
  data: Record<string, unknown>
  /** For the format `slack` alone; not sent in `standard`. */
  slack?: SlackFields
}

export interface SlackFields {
  channel_name: string
  trigger_word: string
}

export interface SigningHook {
  format: 'standard' | 'slack'
  /** `whsec_…`; the former one too while both sign. */
  secrets: readonly string[]
  verifyToken: string
}

/** Headers and body of a try. The id is the same on every try. */
export function requestOf(
  hook: SigningHook,
  id: string,
  event: OutgoingEvent,
  now: Seconds,
  host: string,
): { headers: Record<string, string>; body: string } {
  const { slack, ...standard } = event
  const isForm = hook.format === 'slack'
  const body = isForm ? formOf(event, hook.verifyToken, host) : JSON.stringify(standard)
  const timestamp = String(Math.floor(now))
  return {
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'user-agent': `bothy/${VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': hook.secrets
        .map(secret => `v1,${signature(secret, `${id}.${timestamp}.${body}`)}`)
        .join(' '),
    },
    body,
  }
}

const signature = (secret: string, text: string) =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(text)
    .digest('base64')

function formOf({ data, slack }: OutgoingEvent, token: string, host: string): string {
  const message = data as unknown as MessagePayload & { files?: string[] }
  return new URLSearchParams({
    token,
    team_id: host,
    team_domain: host,
    channel_id: message.channel,
    channel_name: slack?.channel_name ?? message.channel,
    timestamp: String(Math.floor(message.ts)),
    user_id: message.sender,
    user_name: message.sender,
    post_id: String(message.id),
    text: message.content ?? '',
    trigger_word: slack?.trigger_word ?? '',
    file_ids: (message.files ?? []).join(','),
  }).toString()
}
