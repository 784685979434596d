import type { Response } from 'express'
import { InvalidPayload } from '#shared/domain/slack-values.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'

/** Refusals in the words of Slack's hooks, with their statuses (interface 19.4). */
const STATUS = {
  no_service: 404,
  channel_not_found: 404,
  payload_too_large: 413,
  invalid_payload: 400,
  no_text: 400,
  invalid_signature: 403,
  action_prohibited: 403,
  channel_is_archived: 410,
  rate_limited: 429,
} as const
export type RefusalCode = keyof typeof STATUS

/** A post that an address of a hook refuses. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly retryAfter: Seconds | undefined

  constructor(code: RefusalCode, retryAfter?: Seconds) {
    super(code)
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** The refusal that an error of the interface means for the sender; others are passed on. */
export function refusalFor(err: unknown): Refusal {
  if (err instanceof Refusal) return err
  if (err instanceof InvalidPayload) return new Refusal('invalid_payload')
  if (!(err instanceof HttpError)) throw err
  if (err.status === 429) return new Refusal('rate_limited', Number(err.headers['Retry-After'] ?? 1))
  if (err.status === 403 && err.body === 'archived channel') return new Refusal('channel_is_archived')
  if (err.status === 400) return new Refusal(err.body === 'invalid_payload' ? 'invalid_payload' : 'no_text')
  if (err.status === 413) return new Refusal('payload_too_large')
  // A client id of another channel.
  if (err.status === 409) return new Refusal('invalid_payload')
  // The bot may not write there, or was deactivated meanwhile.
  if (err.status === 403 || err.status === 302 || err.status === 404) return new Refusal('action_prohibited')
  throw err
}

export function sendRefusal(res: Response, { code, retryAfter }: Refusal): void {
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
  res.status(STATUS[code]).type('text/plain').send(code)
}
