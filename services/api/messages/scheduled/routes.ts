import * as v from 'valibot'
import { visibleText } from '#shared/domain/one-line.ts'
import { ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { pageOf } from '#shared/domain/payloads/page.ts'
import { idFrom, type Seconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { cursorText } from '../../middleware/paging.ts'
import { FAILURES_KEPT, scheduledAfter } from './queries.ts'
import { cancelScheduled, changeScheduled, schedule } from './schedule.ts'

const SOONEST: Seconds = 10
const LATEST: Seconds = 366 * 24 * 3600

const PAGE = f.fields({
  limit: f.limit(),
  cursor: f.cursor(v.tuple([v.pipe(v.number(), v.finite()), v.pipe(v.number(), v.safeInteger())])),
})
/** As `/send` stores it. */
const sentText = v.pipe(
  f.exactText,
  v.transform(text => text.trimEnd()),
  v.check(text => visibleText(text) !== '', f.REQUIRED),
)
const NEW = f.fields({
  text: sentText,
  send_ts: f.number,
  channel: f.exactText,
  reply_to_id: f.id('a message'),
  composed_for: f.mayBeNull(f.exactText),
  client_id: f.clientId,
})
const CHANGE = f.fields({ text: v.exactOptional(sentText), now: f.flag, send_ts: v.exactOptional(f.number) })

/** Interface 11.5. */
export const scheduledEndpoints = [
  endpoint(
    'POST /scheduled',
    {
      summary: 'Schedules a message.',
      who: 'signed in',
      limit: ['send'],
      body: jsonBody(NEW),
      answers: { 201: payload(ScheduledPayload) },
      fails: [400, 403, 409],
    },
    async ({ stores, res, viewer, body }) => {
      checkLength(stores, body.text)
      checkTime(body.send_ts, stores.clock.now())
      const { status, body: made } = await schedule(stores, viewer, {
        channel: body.channel,
        text: body.text,
        sendTs: body.send_ts,
        replyTo: body.reply_to_id ?? null,
        composedFor: body.composed_for ?? undefined,
        clientId: body.client_id,
      })
      res.status(status).json(made)
    },
  ),

  endpoint(
    'GET /scheduled',
    {
      summary: 'Lists a page of the scheduled messages of the person.',
      who: 'signed in',
      query: PAGE,
      answers: { 200: payload(pageOf(ScheduledPayload)) },
      fails: [400],
    },
    async ({ stores, viewer, query: { limit, cursor: after = [0, 0] as const } }) => {
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
      summary: 'Changes a scheduled message, or sends it now.',
      who: 'signed in',
      limit: ['change'],
      body: jsonBody(CHANGE),
      answers: { 204: nothing },
      fails: [400, 404, 409],
    },
    async ({ stores, viewer, params, body: { text, now: isNow, send_ts: ts } }) => {
      const now = stores.clock.now()
      if (text !== undefined) checkLength(stores, text)
      if (!isNow && ts !== undefined) checkTime(ts, now)
      const sendTs = isNow ? now : ts
      if (text === undefined && sendTs === undefined) throw errors.missing('text, send_ts or now')
      await changeScheduled(stores, viewer, idOf(params), { text, sendTs })
    },
  ),

  endpoint(
    'DELETE /scheduled/:id',
    {
      summary: 'Deletes a scheduled message.',
      who: 'signed in',
      limit: ['change'],
      answers: { 204: nothing },
      fails: [404, 409],
    },
    async ({ stores, viewer, params }) => {
      await cancelScheduled(stores, viewer, idOf(params))
    },
  ),
]

function checkLength({ settings }: Stores, text: string) {
  const most = settings.current.max_message_chars
  if (!f.isWithin(text, most)) throw errors.tooLong('text', most)
}

function checkTime(ts: Seconds, now: Seconds) {
  if (!(ts >= now + SOONEST && ts <= now + LATEST))
    throw errors.invalid('send_ts must be a time from ten seconds to one year ahead')
}

function idOf(params: { id: string }): number {
  const id = idFrom(params.id)
  if (id === undefined) throw errors.notFound()
  return id
}
