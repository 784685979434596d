import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { PinsPayload } from '#shared/domain/payloads/later.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { cursorText } from '../../middleware/paging.ts'
import { setPinned } from './pin.ts'
import { pinsBefore } from './queries.ts'

const PAGE = f.fields({ limit: f.limit(), cursor: f.cursor(v.pipe(v.number(), v.finite())) })

/** Interface 11.3. */
export const pinEndpoints = [
  endpoint(
    'PUT /pin/:id',
    {
      summary: 'Pins a message.',
      who: 'member',
      within: 'message',
      limit: ['change'],
      answers: { 204: nothing },
      fails: [403, 404, 409],
    },
    async ({ stores, viewer, params }) => {
      await setPinned(stores, viewer, params.id, true)
    },
  ),

  endpoint(
    'DELETE /pin/:id',
    {
      summary: 'Unpins a message.',
      who: 'member',
      within: 'message',
      limit: ['change'],
      answers: { 204: nothing },
      fails: [403, 404, 409],
    },
    async ({ stores, viewer, params }) => {
      await setPinned(stores, viewer, params.id, false)
    },
  ),

  endpoint(
    'GET /pins/:channel',
    {
      summary: 'Lists a page of the pinned messages of a channel.',
      who: 'member',
      query: PAGE,
      answers: { 200: payload(PinsPayload) },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, query: { limit, cursor: before = Number.MAX_VALUE } }) => {
      const channel = await channelFor(stores, viewer, params.channel)
      const { items, more } = await pinsBefore(stores.db, channel, before, limit)
      // Checked again after the rows: a former member gets nothing newer.
      await channelFor(stores, viewer, params.channel)
      const next = more ? cursorText(items.at(-1)!.extra?.pinned?.ts) : null
      return { items, next } satisfies PinsPayload
    },
  ),
]

async function channelFor(stores: Stores, viewer: Username, text: unknown) {
  const channel = await findReadableChannel(stores, viewer, text)
  if (!channel) throw errors.notFound()
  return channel
}
