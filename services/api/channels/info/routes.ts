import type { Request } from 'express'
import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { channelInfo } from '#shared/collections/channel-info.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { LONGEST_CHANNEL_NAME, LONGEST_DESCRIPTION, LONGEST_TOPIC } from '#shared/domain/channel-name.ts'
import type { ChannelInfoPayload, ChannelPersonPayload } from '#shared/domain/payloads/channels.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { bodyOf, choiceIn, flagIn, lineIn, textIn } from '../../middleware/coded-fields.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { cursorText, pageCursor, pageLimit, wordIn, wordsIn } from '../../middleware/paging.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { setArchived } from './archive.ts'
import { type ChannelPatch, changeChannel, type Editor } from './change.ts'
import { setManager } from './managers.ts'
import { channelPeople } from './queries.ts'

/** Interface 12.1. */
export const channelInfoEndpoints = [
  endpoint(
    'GET /channel_info/:channel',
    { who: 'member', answers: { 200: payload<ChannelInfoPayload>('ChannelInfoPayload') }, fails: [404] },
    async ({ stores, viewer, params }) => infoFor(stores, viewer, params.channel),
  ),

  endpoint(
    'PATCH /channel_info/:channel',
    {
      who: 'member',
      limit: [['change', 8]],
      body: jsonBody(),
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params }) => {
      await changeChannel(stores, editorOf(req), params.channel, patchIn(req))
    },
  ),

  endpoint(
    'POST /channel_info/:channel/archive',
    { who: 'manager', limit: [['change', 8]], answers: { 204: nothing }, fails: [400, 403, 404] },
    ({ stores, req, params }) => setArchived(stores, editorOf(req), params.channel, true),
  ),

  endpoint(
    'POST /channel_info/:channel/unarchive',
    { who: 'manager', limit: [['change', 8]], answers: { 204: nothing }, fails: [400, 403, 404] },
    ({ stores, req, params }) => setArchived(stores, editorOf(req), params.channel, false),
  ),

  endpoint(
    'PUT /channel_info/:channel/managers/:username',
    { who: 'manager', limit: [['change', 8]], answers: { 204: nothing }, fails: [400, 403, 404] },
    async ({ stores, req, params }) => {
      await setManager(stores, editorOf(req), params.channel, params.username, true)
    },
  ),

  endpoint(
    'DELETE /channel_info/:channel/managers/:username',
    { who: 'manager', limit: [['change', 8]], answers: { 204: nothing }, fails: [400, 403, 404] },
    async ({ stores, req, params }) => {
      await setManager(stores, editorOf(req), params.channel, params.username, false)
    },
  ),

  endpoint(
    'GET /channel_people/:channel',
    {
      who: 'member',
      answers: { 200: payload<Page<ChannelPersonPayload>>('Page<ChannelPersonPayload>') },
      fails: [400, 404],
    },
    async ({ stores, req, viewer, params }) => {
      const limit = pageLimit(req.query)
      const filter = {
        q: wordsIn('q', req.query['q']),
        role: wordIn('role', ['manager', 'guest'], req.query['role']),
        after: pageCursor(req.query, v.pipe(v.string(), v.maxLength(64))),
        limit: limit + 1,
      }
      const info = await infoFor(stores, viewer, params.channel)
      const found = await channelPeople(stores.db, info.channel, info.default, info.managers, filter)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      const items = page.map(({ username_key: _, ...person }) => person)
      return {
        items,
        next: last ? cursorText(last.username_key) : null,
      } satisfies Page<ChannelPersonPayload>
    },
  ),
]

const editorOf = (req: Request): Editor => ({ name: viewerOf(req), address: req.ip })

/** 404 for a channel that does not exist or that the viewer may not read. */
async function infoFor(stores: Stores, viewer: Username, text: unknown): Promise<ChannelInfoPayload> {
  const channel = await findReadableChannel(stores, viewer, text)
  const info = channel && (await payloadFor(channelInfo, stores, viewer, channel.id))
  if (!info) throw errors.notFound()
  return info
}

function patchIn(req: Request): ChannelPatch {
  const body = bodyOf(req)
  const name = lineIn(body, 'name', LONGEST_CHANNEL_NAME)
  if (name === null) throw errors.missing('name')
  const topic = lineIn(body, 'topic', LONGEST_TOPIC)
  const description = textIn(body, 'description', LONGEST_DESCRIPTION)
  const posting = choiceIn(body, 'posting', ['everyone', 'managers'])
  const isDefault = flagIn(body, 'default')
  const patch: ChannelPatch = {
    ...(name === undefined ? {} : { name }),
    ...(topic === undefined ? {} : { topic }),
    ...(description === undefined ? {} : { description }),
    ...(posting === undefined ? {} : { posting }),
    ...(isDefault === undefined ? {} : { is_default: isDefault }),
  }
  if (Object.keys(patch).length === 0) throw errors.missing('name, topic, description, posting or default')
  return patch
}
