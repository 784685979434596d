import type { Request } from 'express'
import * as v from 'valibot'
import type { SavedPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { idFrom, type Seconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { type Body, bodyOf, flagIn, textIn } from '../../middleware/coded-fields.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { cursorText, pageCursor, pageLimit, wordIn } from '../../middleware/paging.ts'
import { type SavedPlace, savedAfter } from './queries.ts'
import { changeSaved, removeSaved, saveMessage } from './save.ts'

const MINUTE: Seconds = 60
const LONGEST_YEARS = 5
const LONGEST_NOTE = 500
const CURSOR = v.tuple([v.nullable(v.number()), v.number(), v.pipe(v.number(), v.safeInteger())])

/** Interface 11.4. */
export const savedEndpoints = [
  endpoint(
    'PUT /saved/:id',
    { who: 'member', limit: ['change'], body: jsonBody(), answers: { 204: nothing }, fails: [400, 404, 409] },
    async ({ stores, req, viewer, params }) => {
      const body = bodyOf(req)
      const remindTs = remindIn(body, stores.clock.now()) ?? null
      const note = textIn(body, 'note', LONGEST_NOTE) ?? null
      await saveMessage(stores, viewer, params.id, { remindTs, note })
    },
  ),

  endpoint(
    'PATCH /saved/:id',
    { who: 'member', limit: ['change'], body: jsonBody(), answers: { 204: nothing }, fails: [400, 404, 409] },
    async ({ stores, req, viewer }) => {
      const body = bodyOf(req)
      const change = {
        done: flagIn(body, 'done'),
        remindTs: remindIn(body, stores.clock.now()),
        note: textIn(body, 'note', LONGEST_NOTE),
      }
      if (Object.values(change).every(value => value === undefined))
        throw errors.missing('done, remind_ts or note')
      await changeSaved(stores, viewer, idOf(req), change)
    },
  ),

  endpoint(
    'DELETE /saved/:id',
    { who: 'member', limit: ['change'], answers: { 204: nothing }, fails: [404] },
    async ({ stores, req, viewer }) => {
      await removeSaved(stores, viewer, idOf(req))
    },
  ),

  endpoint(
    'GET /saved',
    { who: 'signed in', answers: { 200: payload<Page<SavedPayload>>('Page<SavedPayload>') }, fails: [400] },
    async ({ stores, req, viewer }) => {
      const limit = pageLimit(req.query)
      const state = wordIn('state', ['open', 'done'] as const, req.query['state']) ?? 'open'
      const after = pageCursor(req.query, CURSOR)
      const { items, more } = await savedAfter(stores, viewer, state, after, limit)
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
function remindIn(body: Body, now: Seconds): Seconds | null | undefined {
  const { remind_ts: ts, remind_in_minutes: minutes } = body
  if (minutes !== undefined) {
    if (ts !== undefined) throw errors.invalid('either remind_ts or remind_in_minutes')
    if (typeof minutes !== 'number') throw errors.missing('remind_in_minutes')
    if (!(minutes >= 1 && now + minutes * MINUTE <= latestAfter(now)))
      throw errors.invalid('remind_in_minutes must be from one minute to five years')
    return now + minutes * MINUTE
  }
  if (ts === undefined || ts === null) return ts
  if (typeof ts !== 'number') throw errors.missing('remind_ts')
  if (!(ts >= now + MINUTE && ts <= latestAfter(now)))
    throw errors.invalid('remind_ts must be a time from one minute to five years ahead')
  return ts
}

/** The same day of the calendar, some years later. */
function latestAfter(now: Seconds): Seconds {
  const date = new Date(now * 1_000)
  return date.setUTCFullYear(date.getUTCFullYear() + LONGEST_YEARS) / 1_000
}

function idOf(req: Request): number {
  const id = idFrom(req.params['id'])
  if (id === undefined) throw errors.notFound()
  return id
}
