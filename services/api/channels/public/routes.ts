import { type Request, Router } from 'express'
import * as v from 'valibot'
import { visibleAmong } from '#shared/access/visible-people.ts'
import {
  isNewChannelId,
  LONGEST_CHANNEL_NAME,
  LONGEST_DESCRIPTION,
  LONGEST_TOPIC,
} from '#shared/domain/channel-name.ts'
import type { PublicChannelsPage } from '#shared/domain/payloads.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../../middleware/bodies.ts'
import { bodyOf, choiceIn, flagIn, lineIn, textIn } from '../../middleware/coded-fields.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { cursorText, pageCursor, pageLimit, wordIn, wordsIn } from '../../middleware/paging.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { addPeople, removePerson } from './add.ts'
import { type ChannelDraft, createPublicChannel } from './create.ts'
import { join, leave } from './join.ts'
import { countPublicChannels, findPublicChannels, writersOf } from './queries.ts'

const MOST_ADDED = 100

/** Interface 10.14. */
export function publicChannelRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/public_channels', errorsWithCode)

  routes.get('/public_channels', async (req, res) => {
    const limit = pageLimit(req.query)
    const q = wordsIn('q', req.query['q'])
    const after = pageCursor(req.query, PLACE)
    const found = await findPublicChannels(stores, viewerOf(req), {
      q,
      withArchived: wordIn('archived', ['0', '1'], req.query['archived']) === '1',
      sort: wordIn('sort', ['name', 'members', 'newest'], req.query['sort']) ?? 'name',
      after,
      limit: limit + 1,
    })
    const isWhole = after === undefined && q === undefined
    const counts = isWhole ? await countPublicChannels(stores, viewerOf(req)) : undefined
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
    const visible = new Set(await visibleAmong(stores, viewerOf(req), [...new Set(named)]))
    const items = page.map(({ place: _, created_by, ...channel }) => ({
      ...channel,
      created_by: created_by !== null && visible.has(created_by) ? created_by : null,
      ...(writers && { writers: (writers.get(channel.channel) ?? []).filter(name => visible.has(name)) }),
    }))
    const next = last ? cursorText(last.place) : null
    res.json({ items, next, ...(counts && { counts }) } satisfies PublicChannelsPage)
  })

  routes.post('/public_channels', json, async (req, res) => {
    const { status, body } = await createPublicChannel(stores, viewerOf(req), req.ip, draftIn(req))
    res.status(status).json(body)
  })

  routes.post('/public_channels/:channel/join', async (req, res) => {
    await join(stores, viewerOf(req), req.params.channel)
    res.status(204).end()
  })

  routes.post('/public_channels/:channel/leave', async (req, res) => {
    await leave(stores, viewerOf(req), req.params.channel)
    res.status(204).end()
  })

  routes.post('/public_channels/:channel/add', json, async (req, res) => {
    const names = namesIn(req)
    // An item in the inbox of each: the request itself counts for one.
    await rateLimits(stores)(['add_member', viewerOf(req), names.length - 1])
    res.json(await addPeople(stores, viewerOf(req), req.params['channel'] as string, names))
  })

  routes.post('/public_channels/:channel/remove', json, async (req, res) => {
    const name = textIn(bodyOf(req), 'username')
    if (name === undefined || name === null) throw errors.missing('username')
    await removePerson(stores, viewerOf(req), req.params['channel'] as string, name)
    res.status(204).end()
  })

  return routes
}

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
