import type { RequestHandler, Response } from 'express'
import { hasBearer } from '#shared/http/tokens.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'

/** A refusal in a word of Slack's Web API (interface 19.8). */
export class SlackError extends HttpError {
  readonly word: string
  constructor(word: string) {
    super(200, word)
    this.word = word
  }
}

/** Refuses a request without a token: a session counts for nothing here, and may so be of any site. */
export const tokenNeeded: RequestHandler = (req, _res, next) => {
  if (!hasBearer(req)) throw new SlackError('not_authed')
  next()
}

/** Mounted before the methods of Slack's Web API, so that errors are `{"ok": false, "error": "<word>"}`. */
export const errorsAsSlack: RequestHandler = (_req, res, next) => {
  res.locals['errorsAsSlack'] = true
  next()
}

/** Words for sentences of the interface; the status decides about others. */
const BY_SENTENCE: readonly [RegExp, string][] = [
  [/^(file|request) too large/, 'file_upload_size_restricted'],
  [/^file type not allowed/, 'file_uploads_except_images_disabled'],
  [/^storage full/, 'storage_limit_reached'],
  [/^upload not complete/, 'file_not_found'],
  [/^archived channel$/, 'is_archived'],
  [/^read-only channel$/, 'restricted_action'],
  [/^empty$/, 'no_text'],
  [/^message too long/, 'msg_too_long'],
  [/^no account named/, 'user_not_found'],
  [/^a direct message has at most/, 'too_many_users'],
  [/^invalid reaction$/, 'invalid_name'],
  [/^a message takes at most/, 'too_many_reactions'],
  [/is limited to channels/, 'no_permission'],
]

const BY_STATUS: Record<number, string> = {
  401: 'invalid_auth',
  403: 'no_permission',
  404: 'channel_not_found',
  429: 'ratelimited',
  503: 'service_unavailable',
}

/** Status 200 but for 429, as libraries for Slack expect. */
export function answerInSlackForm(error: HttpError, res: Response): void {
  const [, needed] = /\(scope (\w+)\)/.exec(error.sentence) ?? []
  const body =
    needed === undefined ? { ok: false, error: wordOf(error) } : { ok: false, error: 'missing_scope', needed }
  res
    .status(error.status === 429 ? 429 : 200)
    .set(error.status === 429 ? error.headers : {})
    .type('application/json')
    .send(JSON.stringify(body))
}

function wordOf(error: HttpError): string {
  if (error instanceof SlackError) return error.word
  const listed = BY_SENTENCE.find(([sentence]) => sentence.test(error.sentence))
  return (
    listed?.[1] ?? BY_STATUS[error.status] ?? (error.status < 500 ? 'invalid_arguments' : 'internal_error')
  )
}
