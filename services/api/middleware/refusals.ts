import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { log } from '#shared/runtime/log.ts'
import { Refusal, refuse } from '#shared/runtime/refusals.ts'
import { discardBody } from '#shared/runtime/request-bodies.ts'
import { isOfDeletedAccount, isUnavailable } from '#shared/stores/postgres.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import { routeOf } from './request-log.ts'

/**
 * The only place that turns errors into responses. An unlisted error is a bug: 500, logged in full, not
 * disclosed.
 */
export const answerRefusals: ErrorRequestHandler = (err, req, res, next) => {
  // Already answered; the request was cut off afterwards because its body was too slow.
  if (res.writableEnded) return
  if (res.headersSent) {
    // The response is partly sent: only closing the connection tells the client that it is incomplete.
    log.warn({ err, route: routeOf(req) }, 'answer cut off')
    res.destroy()
    return
  }
  // For discardBody; a client that requested `close` closes the connection itself.
  if (!req.complete) res.set('Connection', 'keep-alive')
  answer(refusalFor(err, routeOf(req)), res)
  discardBody(req)
  void next
}

function refusalFor(err: unknown, route: string): Refusal {
  if (err instanceof Refusal) return err
  const status = (err as { status?: unknown } | null)?.status
  // Express and its body parsers: malformed JSON, an oversized body, a malformed address.
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new Refusal(status, status === 413 ? 'request too large' : 'bad request')
  }
  if (isOfDeletedAccount(err)) return refuse.signedOut()
  if (isUnavailable(err) || isRedisAway(err)) {
    log.warn({ err, route }, 'store away')
    return refuse.unavailable()
  }
  if (isDiskFull(err)) {
    log.error({ err, route }, 'no room for files')
    return refuse.storageFull()
  }
  if (isFileStoreAway(err)) {
    log.error({ err, route }, 'file store away')
    return refuse.filesUnavailable()
  }
  log.error({ err, route }, 'request failed')
  return new Refusal(500, 'internal error')
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

function answer(refusal: Refusal, res: Response) {
  const isJson = res.locals['errorsAsJson'] && !refusal.headers['Content-Type']
  const { body, headers } = isJson ? { ...refuse.json(refusal.status, refusal.body) } : refusal
  res
    .status(refusal.status)
    .type('text/plain')
    .set({ ...refusal.headers, ...headers })
    .send(body)
}

/** Mounted before the JSON operations, so that their refusals are `{"error": "<sentence>"}` (decisions, Errors). */
export const errorsAsJson: RequestHandler = (_req, res, next) => {
  res.locals['errorsAsJson'] = true
  next()
}
