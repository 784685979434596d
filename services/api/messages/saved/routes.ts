import * as v from 'valibot'
import { SavedPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { pageOf } from '#shared/domain/payloads/page.ts'
import { idFrom, type Seconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { cursorText } from '../../middleware/paging.ts'
import { type SavedPlace, savedAfter } from './queries.ts'
import { changeSaved, removeSaved, saveMessage } from './save.ts'

const MINUTE: Seconds = 60
const LONGEST_YEARS = 5
const LONGEST_NOTE = 500

const PAGE = f.fields({
  limit: f.limit(),
  state: f.word(['open', 'done']),
  cursor: f.cursor(v.tuple([v.nullable(v.number()), v.number(), v.pipe(v.number(), v.safeInteger())])),
})
const SAVED = {
  remind_in_minutes: v.exactOptional(f.number),
  remind_ts: f.mayBeNull(f.number),
  note: f.text(LONGEST_NOTE),
}
const NEW = f.fields(SAVED)
const CHANGE = f.fields({ done: f.flag, ...SAVED })

/** Interface 11.4. */
export const savedEndpoints = [
  endpoint(
    'PUT /saved/:id',
    {
      summary: 'Saves a message for later, also with a reminder.',
      who: 'member',
      within: 'message',
      limit: ['change'],
      body: jsonBody(NEW),
      answers: { 204: nothing },
      fails: [400, 404, 409],
    },
    async ({ stores, viewer, params, body }) => {
      const remindTs = remindIn(body, stores.clock.now()) ?? null
      await saveMessage(stores, viewer, params.id, { remindTs, note: body.note ?? null })
    },
  ),

  endpoint(
    'PATCH /saved/:id',
    {
      summary: 'Changes a saved message, its reminder or note.',
      who: 'member',
      within: 'message',
      limit: ['change'],
      body: jsonBody(CHANGE),
      answers: { 204: nothing },
      fails: [400, 404, 409],
    },
    async ({ stores, viewer, params, body }) => {
      const { done, note } = body
      const change = { done, remindTs: remindIn(body, stores.clock.now()), note }
      if (Object.values(change).every(value => value === undefined))
        throw errors.missing('done, remind_ts or note')
      await changeSaved(stores, viewer, idOf(params), change)
    },
  ),

  endpoint(
    'DELETE /saved/:id',
    {
      summary: 'Removes a message from the saved ones.',
      who: 'member',
      within: 'message',
      limit: ['change'],
      answers: { 204: nothing },
      fails: [404],
    },
    async ({ stores, viewer, params }) => {
      await removeSaved(stores, viewer, idOf(params))
    },
  ),

  endpoint(
    'GET /saved',
    {
      summary: 'Lists a page of the saved messages of the person.',
      who: 'signed in',
      query: PAGE,
      answers: { 200: payload(pageOf(SavedPayload)) },
      fails: [400],
    },
    async ({ stores, viewer, query: { state = 'open', cursor, limit } }) => {
      const { items, more } = await savedAfter(stores, viewer, state, cursor, limit)
      const next = more ? cursorText(placeOf(items.at(-1)!)) : null
      return { items, next } satisfies Page<SavedPayload>
    },
  ),
]

const placeOf = ({ remind_ts, saved_ts, message }: SavedPayload): SavedPlace => [
  remind_ts,
  saved_ts,
  message.id,
]

/** Reads `remind_ts` (a time, or null) or `remind_in_minutes`: one minute to five years ahead. */
function remindIn(
  { remind_ts: ts, remind_in_minutes: minutes }: v.InferOutput<typeof NEW>,
  now: Seconds,
): Seconds | null | undefined {
  if (minutes !== undefined) {
    if (ts !== undefined) throw errors.invalid('either remind_ts or remind_in_minutes')
    if (!(minutes >= 1 && now + minutes * MINUTE <= latestAfter(now)))
      throw errors.invalid('remind_in_minutes must be from one minute to five years')
    return now + minutes * MINUTE
  }
  if (ts === undefined || ts === null) return ts
  if (!(ts >= now + MINUTE && ts <= latestAfter(now)))
    throw errors.invalid('remind_ts must be a time from one minute to five years ahead')
  return ts
}

/** The same day of the calendar, some years later. */
function latestAfter(now: Seconds): Seconds {
  const date = new Date(now * 1_000)
  return date.setUTCFullYear(date.getUTCFullYear() + LONGEST_YEARS) / 1_000
}

function idOf(params: { id: string }): number {
  const id = idFrom(params.id)
  if (id === undefined) throw errors.notFound()
  return id
}
