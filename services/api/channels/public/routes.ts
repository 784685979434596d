import type { Request } from 'express'
import * as v from 'valibot'
import { visibleAmong } from '#shared/access/visible-people.ts'
import {
  isNewChannelId,
  LONGEST_CHANNEL_NAME,
  LONGEST_DESCRIPTION,
  LONGEST_TOPIC,
} from '#shared/domain/channel-name.ts'
import type { AddedPayload, PublicChannelsPage } from '#shared/domain/payloads/channels.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { bodyOf, choiceIn, flagIn, lineIn, textIn } from '../../middleware/coded-fields.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { cursorText, pageCursor, pageLimit, wordIn, wordsIn } from '../../middleware/paging.ts'
import { addPeople, removePerson } from './add.ts'
import { type ChannelDraft, createPublicChannel } from './create.ts'
import { join, leave } from './join.ts'
import { countPublicChannels, findPublicChannels, writersOf } from './queries.ts'

const MOST_ADDED = 100

/** Interface 12.1. */
export const publicChannelEndpoints = [
  endpoint(
    'GET /public_channels',
    { who: 'signed in', answers: { 200: payload<PublicChannelsPage>('PublicChannelsPage') }, fails: [400] },
    async ({ stores, req, viewer }) => {
      const limit = pageLimit(req.query)
      const q = wordsIn('q', req.query['q'])
      const after = pageCursor(req.query, PLACE)
      const found = await findPublicChannels(stores, viewer, {
        q,
        withArchived: wordIn('archived', ['0', '1'], req.query['archived']) === '1',
        sort: wordIn('sort', ['name', 'members', 'newest'], req.query['sort']) ?? 'name',
        after,
        limit: limit + 1,
      })
      const isWhole = after === undefined && q === undefined
      const counts = isWhole ? await countPublicChannels(stores, viewer) : undefined
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      const writers =
        wordIn('with', ['writers'], req.query['with']) &&
        (await writersOf(
          stores.db,
          page.map(({ channel }) => channel),
        ))
      const named = page.flatMap(({ channel, created_by }) => [
        ...(created_by === null ? [] : [created_by]),
        ...(writers?.get(channel) ?? []),
      ])
      const visible = new Set(await visibleAmong(stores, viewer, [...new Set(named)]))
      const items = page.map(({ place: _, created_by, ...channel }) => ({
        ...channel,
        created_by: created_by !== null && visible.has(created_by) ? created_by : null,
        ...(writers && { writers: (writers.get(channel.channel) ?? []).filter(name => visible.has(name)) }),
      }))
      const next = last ? cursorText(last.place) : null
      return { items, next, ...(counts && { counts }) } satisfies PublicChannelsPage
    },
  ),

  endpoint(
    'POST /public_channels',
    {
      who: 'signed in',
      limit: [['manage', 60]],
      body: jsonBody(),
      answers: { 201: payload<{ channel: ChannelId }>('{ channel: ChannelId }') },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, res, viewer }) => {
      const { status, body } = await createPublicChannel(stores, viewer, req.ip, draftIn(req))
      res.status(status).json(body)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/join',
    { who: 'member', limit: ['other'], answers: { 204: nothing }, fails: [403, 404] },
    async ({ stores, viewer, params }) => {
      await join(stores, viewer, params.channel)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/leave',
    { who: 'member', limit: ['other'], answers: { 204: nothing }, fails: [404] },
    async ({ stores, viewer, params }) => {
      await leave(stores, viewer, params.channel)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/add',
    {
      who: 'member',
      limit: [['manage', 4]],
      body: jsonBody(),
      answers: { 200: payload<AddedPayload>('AddedPayload') },
      fails: [400, 403, 404],
    },
    async ({ stores, req, viewer, params }) => {
      const names = namesIn(req)
      // An item in the inbox of each: the request itself counts for one.
      await rateLimits(stores)(['manage', viewer, 4 * (names.length - 1)])
      return await addPeople(stores, viewer, params.channel, names)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/remove',
    {
      who: 'manager',
      limit: [['manage', 4]],
      body: jsonBody(),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, viewer, params }) => {
      const name = textIn(bodyOf(req), 'username')
      if (name === undefined || name === null) throw errors.missing('username')
      await removePerson(stores, viewer, params.channel, name)
    },
  ),
]

const PLACE = v.strictTuple([v.pipe(v.number(), v.finite()), v.string(), v.string()])

function draftIn(req: Request): ChannelDraft {
  const body = bodyOf(req)
  const name = lineIn(body, 'name', LONGEST_CHANNEL_NAME)
  if (name === undefined || name === null) throw errors.missing('name')
  const id = textIn(body, 'id') ?? undefined
  if (id !== undefined && !isNewChannelId(id))
    throw errors.invalid('id must be 1 to 64 of a-z, 0-9, _ and -, beginning with a letter or digit')
  return {
    id,
    name,
    topic: lineIn(body, 'topic', LONGEST_TOPIC) ?? null,
    description: textIn(body, 'description', LONGEST_DESCRIPTION) ?? null,
    posting: choiceIn(body, 'posting', ['everyone', 'managers']) ?? 'everyone',
    isDefault: flagIn(body, 'default') ?? false,
    clientId: onceIdIn(body['client_id']),
  }
}

function namesIn(req: Request): string[] {
  const { usernames } = bodyOf(req)
  if (!Array.isArray(usernames)) throw errors.missing('usernames')
  if (usernames.length === 0 || usernames.length > MOST_ADDED || !usernames.every(isName))
    throw errors.invalid(`usernames must be 1 to ${MOST_ADDED} names`)
  return [...new Set(usernames.map(name => name.trim()))]
}

const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= 64 && name.isWellFormed() && !name.includes('\0')
