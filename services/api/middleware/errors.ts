import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { standingsAt } from '#shared/http/rate-limits.ts'
import { hasBearer, unauthorized } from '#shared/http/tokens.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import { FilesAway } from '#shared/stores/files-away.ts'
import { isOfDeletedAccount, isUnavailable, isUnstorable } from '#shared/stores/postgres-errors.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import { tellLimits } from './rate-headers.ts'
import { requestId } from './request-id.ts'
import { routeOf } from './request-log.ts'
import { answerInSlackForm } from './slack-form.ts'

/** Sends an error as a page. False for a request that is not a navigation, which gets the text of the interface. */
export type ErrorPage = (req: Request, res: Response, error: HttpError) => boolean

/**
 * The only place that turns errors into responses: `page` those of a navigation, if it likes. An unlisted error is a bug: 500, logged in full, not
 * disclosed.
 */
export const sendErrors =
  (page?: ErrorPage): ErrorRequestHandler =>
  (err, req, res, next) => {
    // Already answered; the request was cut off afterwards because its body was too slow.
    if (res.writableEnded) return
    if (res.headersSent) {
      // The response is partly sent: only closing the connection tells the client that it is incomplete.
      log.warn({ err, id: requestId(res), route: routeOf(req) }, 'answer cut off')
      res.destroy()
      return
    }
    const error = httpErrorFor(err, { id: requestId(res), route: routeOf(req) })
    tellLimits(req, res, standingsAt(err))
    if (res.locals['errorsAsSlack']) answerInSlackForm(error.status === 302 ? unauthorized() : error, res)
    // Nothing redirects a program.
    else if (hasBearer(req)) answer(error.status < 400 ? unauthorized() : error, res, true)
    else if (!page?.(req, res, error)) answer(error, res)
    void next
  }

function httpErrorFor(err: unknown, request: { id: string; route: string }): HttpError {
  if (err instanceof HttpError) return err
  const status = (err as { status?: unknown } | null)?.status
  // Express and its body parsers: malformed JSON, an oversized body, a malformed address.
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new HttpError(status, status === 413 ? 'request too large' : 'bad request')
  }
  // Routes check their input; this is for input that a check forgot.
  if (isUnstorable(err)) return new HttpError(400, 'bad request')
  if (isOfDeletedAccount(err)) return errors.signedOut()
  if (err instanceof FilesAway) return errors.filesUnavailable()
  if (noteStoreFailure(err, request)) return errors.unavailable()
  if (isUnavailable(err)) {
    log.warn({ err, ...request }, 'database gave up a statement')
    return errors.unavailable()
  }
  if (isDiskFull(err)) {
    log.error({ err, ...request }, 'no room for files')
    return errors.storageFull()
  }
  if (isFileStoreAway(err)) {
    log.error({ err, ...request }, 'file store away')
    return errors.filesUnavailable()
  }
  log.error({ err, ...request }, 'request failed')
  return new HttpError(500, 'internal error')
}

/** The file store's disk or quota is full; a full database disk is an error of PostgreSQL (security 7). */
const isDiskFull = (err: unknown) =>
  /^(ENOSPC|EDQUOT)$/.test(String((err as { code?: unknown } | null)?.code ?? ''))

/** The file store is missing, read-only or unresponsive: not the client's fault. */
const isFileStoreAway = (err: unknown) => {
  const { code, syscall } = (err ?? {}) as { code?: unknown; syscall?: unknown }
  return (
    /^(EROFS|ENOENT|ENOTDIR|EACCES|EPERM|EIO|ESTALE|EMFILE|ENFILE)$/.test(String(code ?? '')) &&
    syscall !== undefined
  )
}

function answer(error: HttpError, res: Response, isFull = false) {
  const { body, headers } =
    isFull || res.locals['errorsWithId'] ? inFullForm(res, error) : inFormOf(res, error)
  res
    .status(error.status)
    .type('text/plain')
    .set({ ...error.headers, ...headers })
    .send(body)
}

function inFormOf(res: Response, error: HttpError): HttpError {
  if (error.headers['Content-Type']) return error
  const { status, body } = error
  const code = CODES[status]
  if (res.locals['errorsWithCode'] && code !== undefined) return errors.coded(status, code, body)
  return res.locals['errorsAsJson'] ? errors.json(status, body) : error
}

/** `{"error", "code", "request_id"}`: of requests with a token, and of endpoints of interface 19. */
function inFullForm(res: Response, error: HttpError): HttpError {
  const { status, sentence, headers } = error
  const code = error.code ?? CODES[status] ?? (status < 500 ? 'bad_request' : 'internal')
  const body = JSON.stringify({ error: sentence, code, request_id: requestId(res) })
  return new HttpError(status, body, { ...headers, 'Content-Type': 'application/json' })
}

/** Codes of general errors of extensions (interface 10). */
const CODES: Record<number, string> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limited',
  500: 'internal',
  503: 'unavailable',
}

/** Mounted before the operations of extensions, so that their errors are `{"error", "code"}` (interface 10). */
export const errorsWithCode: RequestHandler = (_req, res, next) => {
  res.locals['errorsWithCode'] = true
  next()
}

/** The same with `request_id` (interface 19). */
export const errorsWithId: RequestHandler = (_req, res, next) => {
  res.locals['errorsWithId'] = true
  next()
}

/** Mounted before the JSON operations, so that their errors are `{"error": "<sentence>"}` (interface 7). */
export const errorsAsJson: RequestHandler = (_req, res, next) => {
  res.locals['errorsAsJson'] = true
  next()
}
