import type { Request } from 'express'
import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { channelInfo } from '#shared/collections/channel-info.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { LONGEST_CHANNEL_NAME, LONGEST_DESCRIPTION, LONGEST_TOPIC } from '#shared/domain/channel-name.ts'
import { ChannelInfoPayload, ChannelPersonPayload } from '#shared/domain/payloads/channels.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { pageOf } from '#shared/domain/payloads/page.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { cursorText } from '../../middleware/paging.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { setArchived } from './archive.ts'
import { changeChannel, type Editor } from './change.ts'
import { setManager } from './managers.ts'
import { channelPeople } from './queries.ts'

const PATCH = f.fields({
  name: v.exactOptional(f.needed(f.line(LONGEST_CHANNEL_NAME))),
  topic: f.line(LONGEST_TOPIC),
  description: f.text(LONGEST_DESCRIPTION),
  posting: f.choice(['everyone', 'managers']),
  default: f.flag,
})

/** Interface 12.1. */
export const channelInfoEndpoints = [
  endpoint(
    'GET /channel_info/:channel',
    {
      summary: 'Gives the details of a channel.',
      who: 'member',
      answers: { 200: payload(ChannelInfoPayload) },
      fails: [404],
    },
    async ({ stores, viewer, params }) => infoFor(stores, viewer, params.channel),
  ),

  endpoint(
    'PATCH /channel_info/:channel',
    {
      summary: 'Changes the details of a channel.',
      who: 'member',
      scope: 'channels',
      limit: [['change', 8]],
      body: jsonBody(PATCH),
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params, body: { default: isDefault, ...patch } }) => {
      const change = { ...patch, ...(isDefault === undefined ? {} : { is_default: isDefault }) }
      if (Object.keys(change).length === 0)
        throw errors.missing('name, topic, description, posting or default')
      await changeChannel(stores, editorOf(req), params.channel, change)
    },
  ),

  endpoint(
    'POST /channel_info/:channel/archive',
    {
      summary: 'Archives a channel.',
      who: 'manager',
      scope: 'channels',
      limit: [['change', 8]],
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    ({ stores, req, params }) => setArchived(stores, editorOf(req), params.channel, true),
  ),

  endpoint(
    'POST /channel_info/:channel/unarchive',
    {
      summary: 'Restores an archived channel.',
      who: 'manager',
      scope: 'channels',
      limit: [['change', 8]],
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    ({ stores, req, params }) => setArchived(stores, editorOf(req), params.channel, false),
  ),

  endpoint(
    'PUT /channel_info/:channel/managers/:username',
    {
      summary: 'Makes a member a manager of a channel.',
      who: 'manager',
      scope: 'channels',
      limit: [['change', 8]],
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params }) => {
      await setManager(stores, editorOf(req), params.channel, params.username, true)
    },
  ),

  endpoint(
    'DELETE /channel_info/:channel/managers/:username',
    {
      summary: 'Ends the management of a channel by a person.',
      who: 'manager',
      scope: 'channels',
      limit: [['change', 8]],
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params }) => {
      await setManager(stores, editorOf(req), params.channel, params.username, false)
    },
  ),

  endpoint(
    'GET /channel_people/:channel',
    {
      summary: 'Lists a page of the people of a channel, with their roles.',
      who: 'member',
      query: f.fields({
        limit: f.limit(),
        q: f.words,
        role: f.word(['manager', 'guest']),
        cursor: f.cursor(v.pipe(v.string(), v.maxLength(64))),
      }),
      answers: { 200: payload(pageOf(ChannelPersonPayload)) },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, query: { limit, q, role, cursor } }) => {
      const filter = { q, role, after: cursor, limit: limit + 1 }
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
