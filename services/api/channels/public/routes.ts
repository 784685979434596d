import * as v from 'valibot'
import { visibleAmong } from '#shared/access/visible-people.ts'
import {
  isNewChannelId,
  LONGEST_CHANNEL_NAME,
  LONGEST_DESCRIPTION,
  LONGEST_TOPIC,
} from '#shared/domain/channel-name.ts'
import { AddedPayload, PublicChannelPayload, PublicChannelsPage } from '#shared/domain/payloads/channels.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { cursorText } from '../../middleware/paging.ts'
import { addPeople, removePerson } from './add.ts'
import { createPublicChannel } from './create.ts'
import { join, leave } from './join.ts'
import { publicChannelPage } from './page.ts'
import { countPublicChannels, writersOf } from './queries.ts'

const MOST_ADDED = 100

const PAGE = f.fields({
  limit: f.limit(),
  q: f.words,
  cursor: f.cursor(v.strictTuple([v.pipe(v.number(), v.finite()), v.string(), v.string()])),
  archived: f.bit,
  managed: f.bit,
  sort: f.word(['name', 'members', 'newest']),
  with: f.word(['writers']),
})

const NEW_ID = '1 to 64 of a-z, 0-9, _ and -, beginning with a letter or digit'
const CHANNEL = f.fields({
  name: f.needed(f.line(LONGEST_CHANNEL_NAME)),
  id: v.pipe(
    f.text(),
    v.check(id => id === null || isNewChannelId(id), f.invalid(NEW_ID)),
  ),
  topic: f.line(LONGEST_TOPIC),
  description: f.text(LONGEST_DESCRIPTION),
  posting: f.choice(['everyone', 'managers']),
  default: f.flag,
  client_id: f.clientId,
})

const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= 64 && name.isWellFormed() && !name.includes('\0')

const PEOPLE = f.fields({
  usernames: v.pipe(
    f.list(isName, `1 to ${MOST_ADDED} names`, { least: 1, most: MOST_ADDED }),
    v.transform(names => [...new Set(names.map(name => name.trim()))]),
  ),
})

/** Interface 12.1. */
export const publicChannelEndpoints = [
  endpoint(
    'GET /public_channels',
    {
      summary: 'Lists a page of the public channels, for the directory.',
      who: 'signed in',
      query: PAGE,
      answers: { 200: payload(PublicChannelsPage) },
      fails: [400],
    },
    async ({ stores, viewer, query }) => {
      const {
        limit,
        q,
        cursor: after,
        archived: withArchived = false,
        managed: managedOnly,
        sort = 'name',
      } = query
      const { page, last } = await publicChannelPage(stores, viewer, {
        q,
        withArchived,
        managedOnly,
        sort,
        after,
        limit,
      })
      const isWhole = after === undefined && q === undefined && !managedOnly
      const counts = isWhole ? await countPublicChannels(stores, viewer) : undefined
      const writers =
        query.with &&
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
      summary: 'Makes a public channel.',
      who: 'signed in',
      scope: 'channels',
      limit: [['manage', 60]],
      body: jsonBody(CHANNEL),
      answers: { 201: payload(PublicChannelPayload) },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, res, viewer, body: { default: isDefault = false, ...body } }) => {
      const { name, id, topic = null, description = null, posting = 'everyone', client_id: clientId } = body
      const draft = { id: id ?? undefined, name, topic, description, posting, isDefault, clientId }
      const made = await createPublicChannel(stores, viewer, req.ip, draft)
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/join',
    {
      summary: 'Joins a public channel.',
      who: 'member',
      scope: 'channels',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, viewer, params }) => {
      await join(stores, viewer, params.channel)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/leave',
    {
      summary: 'Leaves a public channel.',
      who: 'member',
      scope: 'channels',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [404],
    },
    async ({ stores, viewer, params }) => {
      await leave(stores, viewer, params.channel)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/add',
    {
      summary: 'Adds people to a public channel.',
      who: 'member',
      scope: 'channels',
      limit: [['manage', 4]],
      body: jsonBody(PEOPLE),
      answers: { 200: payload(AddedPayload) },
      fails: [400, 403, 404],
    },
    async ({ stores, viewer, params, body: { usernames } }) => {
      // An item in the inbox of each: the request itself counts for one.
      await rateLimits(stores)(['manage', viewer, 4 * (usernames.length - 1)])
      return await addPeople(stores, viewer, params.channel, usernames)
    },
  ),

  endpoint(
    'POST /public_channels/:channel/remove',
    {
      summary: 'Removes a person from a public channel.',
      who: 'manager',
      scope: 'channels',
      limit: [['manage', 4]],
      body: jsonBody(f.fields({ username: f.needed(f.text()) })),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, viewer, params, body: { username } }) => {
      await removePerson(stores, viewer, params.channel, username)
    },
  ),
]
