import type { Request } from 'express'
import * as v from 'valibot'
import { visibleText } from '#shared/domain/one-line.ts'
import type { ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { idFrom, type Seconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { type Body, bodyOf, flagIn } from '../../middleware/coded-fields.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { cursorText, pageCursor, pageLimit } from '../../middleware/paging.ts'
import { FAILURES_KEPT, scheduledAfter } from './queries.ts'
import { cancelScheduled, changeScheduled, schedule } from './schedule.ts'

const SOONEST: Seconds = 10
const LATEST: Seconds = 366 * 24 * 3600
const CURSOR = v.tuple([v.pipe(v.number(), v.finite()), v.pipe(v.number(), v.safeInteger())])

/** Interface 11.5. */
export const scheduledEndpoints = [
  endpoint(
    'POST /scheduled',
    {
      who: 'signed in',
      limit: ['send'],
      body: jsonBody(),
      answers: { 201: payload<{ id: number }>('{ id: number }') },
      fails: [400, 403, 409],
    },
    async ({ stores, req, res, viewer }) => {
      const body = bodyOf(req)
      const text = textToSend(stores, body)
      const sendTs = timeIn(body, stores.clock.now())
      if (text === undefined) throw errors.missing('text')
      if (sendTs === undefined) throw errors.missing('send_ts')
      const { status, body: made } = await schedule(stores, viewer, {
        channel: nameIn(body, 'channel') ?? fail('channel'),
        text,
        sendTs,
        replyTo: replyIn(body),
        composedFor: nameIn(body, 'composed_for'),
        clientId: onceIdIn(body['client_id']),
      })
      res.status(status).json(made)
    },
  ),

  endpoint(
    'GET /scheduled',
    {
      who: 'signed in',
      answers: { 200: payload<Page<ScheduledPayload>>('Page<ScheduledPayload>') },
      fails: [400],
    },
    async ({ stores, req, viewer }) => {
      const limit = pageLimit(req.query)
      const after = pageCursor(req.query, CURSOR) ?? ([0, 0] as const)
      const failedFrom = stores.clock.now() - FAILURES_KEPT
      const { items, more } = await scheduledAfter(stores.db, viewer, failedFrom, after, limit)
      const last = items.at(-1)
      const next = more && last ? cursorText([last.send_ts, last.id]) : null
      return { items, next } satisfies Page<ScheduledPayload>
    },
  ),

  endpoint(
    'PATCH /scheduled/:id',
    {
      who: 'signed in',
      limit: ['change'],
      body: jsonBody(),
      answers: { 204: nothing },
      fails: [400, 404, 409],
    },
    async ({ stores, req, viewer }) => {
      const body = bodyOf(req)
      const text = textToSend(stores, body)
      const isNow = flagIn(body, 'now')
      const sendTs = isNow ? stores.clock.now() : timeIn(body, stores.clock.now())
      if (text === undefined && sendTs === undefined) throw errors.missing('text, send_ts or now')
      await changeScheduled(stores, viewer, idOf(req), { text, sendTs })
    },
  ),

  endpoint(
    'DELETE /scheduled/:id',
    { who: 'signed in', limit: ['change'], answers: { 204: nothing }, fails: [404, 409] },
    async ({ stores, req, viewer }) => {
      await cancelScheduled(stores, viewer, idOf(req))
    },
  ),
]

/** As `/send` stores it. */
function textToSend(stores: Stores, body: Body): string | undefined {
  const { text } = body
  if (text === undefined) return undefined
  if (typeof text !== 'string') throw errors.missing('text')
  if (text.includes('\0') || !text.isWellFormed()) throw errors.invalid('text must be valid text')
  const most = stores.settings.current.max_message_chars
  const trimmed = text.trimEnd()
  if (visibleText(trimmed) === '') throw errors.missing('text')
  if (trimmed.length > most && [...trimmed].length > most) throw errors.tooLong('text', most)
  return trimmed
}

function timeIn(body: Body, now: Seconds): Seconds | undefined {
  const { send_ts: ts } = body
  if (ts === undefined) return undefined
  if (typeof ts !== 'number') throw errors.missing('send_ts')
  if (!(ts >= now + SOONEST && ts <= now + LATEST))
    throw errors.invalid('send_ts must be a time from ten seconds to one year ahead')
  return ts
}

function nameIn(body: Body, field: string): string | undefined {
  const name = body[field]
  if (name === undefined || name === null) return undefined
  if (typeof name !== 'string') throw errors.missing(field)
  if (name.includes('\0') || !name.isWellFormed()) throw errors.invalid(`${field} must be valid text`)
  return name
}

function replyIn({ reply_to_id: id }: Body): number | null {
  if (id === undefined || id === null) return null
  if (typeof id !== 'number') throw errors.missing('reply_to_id')
  if (!Number.isSafeInteger(id) || id < 1) throw errors.invalid('reply_to_id must be the id of a message')
  return id
}

function fail(field: string): never {
  throw errors.missing(field)
}

function idOf(req: Request): number {
  const id = idFrom(req.params['id'])
  if (id === undefined) throw errors.notFound()
  return id
}
