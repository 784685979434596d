import type { Request, Response } from 'express'
import * as v from 'valibot'
import {
  checkComposedFor,
  findReadableChannel,
  type ReadableChannel,
  readableChannel,
} from '#shared/access/readable-channel.ts'
import { readableMessage } from '#shared/access/readable-message.ts'
import { fragmentOf } from '#shared/domain/fragment.ts'
import { signInPath } from '#shared/domain/next-path.ts'
import { visibleText } from '#shared/domain/one-line.ts'
import type {
  LinkedMessagesPayload,
  MessagePayload,
  SingleMessagePayload,
} from '#shared/domain/payloads/messages.ts'
import type { SearchResultPayload } from '#shared/domain/payloads/search.ts'
import { afterFrom, idFrom, type Seconds, type Username } from '#shared/domain/units.ts'
import type { Mentioned } from '#shared/posting/mentioned.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkReaction } from '../files/emoji/check-reaction.ts'
import { uploadIdsIn } from '../files/uploads/complete-uploads.ts'
import { actorOf } from '../middleware/administration.ts'
import { atOnce } from '../middleware/at-once.ts'
import { keepsAllFiles, messageUploads, uploadsOf } from '../middleware/bodies.ts'
import { readBody, text } from '../middleware/body-fields.ts'
import { formBody, formOrFilesBody, jsonBody } from '../middleware/body-readers.ts'
import { bodyOf } from '../middleware/coded-fields.ts'
import { content, endpoint, nothing, ok, payload, redirect } from '../middleware/endpoint.ts'
import { perStores } from '../middleware/per-stores.ts'
import { deleteMessage } from './delete.ts'
import { edit } from './edit.ts'
import { around, aroundTime, changedSince, newestBefore, type Shown, wholeMessage } from './history.ts'
import { heldRowsIn, linkedMessages } from './linked.ts'
import { moderateDelete } from './moderate.ts'
import { toggleReaction } from './react.ts'
import { type SearchFilters, search } from './search.ts'
import { send } from './send.ts'
import { HISTORY_LIMITS, streamArray } from './stream-array.ts'

const historiesAtOnce = perStores(stores => atOnce(stores, MOST_HISTORIES))
const pagesAtOnce = perStores(stores => atOnce(stores, MOST_PAGES))
const searchesAtOnce = perStores(stores => atOnce(stores, MOST_SEARCHES))

/** Interface 4.3. */
export const messageEndpoints = [
  endpoint(
    'GET /messages/:channel',
    {
      who: 'member',
      errors: 'text',
      answers: { 200: content('application/json', 'MessagePayload[]') },
      fails: [400, 403, 404],
    },
    async ({ stores, req, res, viewer, params }) => {
      const channel = await readableChannel(stores, viewer, params.channel)
      const shown = { withExtra: req.query['extra'] === '1' }
      const page = pageIn(req.query, shown)
      if (page)
        return pagesAtOnce(stores)(viewer, async () => streamArray(res, await page(stores, viewer, channel)))
      const after = afterFrom(req.query.after)
      await historiesAtOnce(stores)(viewer, () =>
        streamArray(res, changedSince(stores, viewer, channel, after, shown), HISTORY_LIMITS),
      )
    },
  ),

  endpoint(
    'POST /send/:channel',
    {
      who: 'member',
      limit: ['send', 'files'],
      errors: 'text',
      // Outsiders cannot upload; the statement of the send checks again.
      prepare: ({ stores, viewer, params }) => readableChannel(stores, viewer, String(params['channel'])),
      body: formOrFilesBody(messageUploads),
      answers: { 200: ok },
      fails: [400, 403, 409, 413],
    },
    async ({ stores, req, res, viewer, ready: channel }) => {
      const body = readBody(SEND, req.body)
      await checkComposedFor(stores, viewer, channel, body.composed_for)
      const sent = await send(stores, viewer, channel, {
        text: visibleText((body.text ?? '').trimEnd()),
        replyTo: idFrom(body.reply_to_id),
        clientId: clientIdIn(body.client_id),
        partOf: clientIdIn(body.part_of),
        isQuiet: body.quiet === '1',
        uploads: uploadsOf(req),
        inParts: keepsAllFiles(req) ? uploadIdsIn(readBody(UPLOADS, req.body).uploads) : undefined,
      })
      tellMentions(res, sent)
      res.set('X-Message-Id', String(sent.id)).type('text/plain').send('ok')
    },
  ),

  endpoint(
    'GET /message/:id',
    {
      who: 'member',
      errors: 'text',
      answers: {
        200: payload<MessagePayload | SingleMessagePayload>('MessagePayload | SingleMessagePayload'),
      },
      fails: [404],
    },
    async ({ stores, req, viewer, params }) => {
      if (req.query['full'] === '1') {
        const withExtra = req.query['extra'] === '1'
        return await wholeMessage(stores, viewer, params.id, { withExtra })
      }
      const { id, sender, content, filename, deleted } = await readableMessage(stores, viewer, params.id)
      return { id, sender, content, filename, deleted } satisfies SingleMessagePayload
    },
  ),

  endpoint(
    'GET /linked_messages',
    {
      who: 'signed in',
      answers: { 200: payload<LinkedMessagesPayload>('LinkedMessagesPayload') },
      fails: [400],
    },
    async ({ stores, req, viewer }) => linkedMessages(stores, viewer, heldRowsIn(req.query['ids'])),
  ),

  endpoint(
    'POST /edit/:id',
    {
      who: 'author',
      limit: ['change'],
      errors: 'text',
      body: formBody(),
      answers: { 200: ok },
      fails: [400, 403, 413],
    },
    async ({ stores, req, res, viewer, params }) => {
      const body = readBody(EDIT, req.body)
      tellMentions(res, await edit(stores, viewer, params.id, visibleText((body.text ?? '').trim())))
      res.type('text/plain').send('ok')
    },
  ),

  endpoint(
    'POST /delete/:id',
    { who: 'author', limit: ['change'], errors: 'text', answers: { 200: ok }, fails: [403] },
    async ({ stores, res, viewer, params }) => {
      await deleteMessage(stores, viewer, params.id)
      res.type('text/plain').send('ok')
    },
  ),

  endpoint(
    'POST /moderate/delete/:id',
    {
      who: 'moderator',
      limit: ['change'],
      body: jsonBody(),
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params }) => {
      await moderateDelete(stores, actorOf(req), params.id, bodyOf(req))
    },
  ),

  endpoint(
    'POST /react/:id',
    {
      who: 'member',
      limit: ['change'],
      errors: 'text',
      body: formBody(),
      answers: { 200: content('application/json', 'ReactionsPayload') },
      fails: [400, 403, 404],
    },
    async ({ stores, req, res, viewer, params }) => {
      const message = await readableMessage(stores, viewer, params.id)
      const reactor = viewer
      const { reaction, on } = readBody(REACT, req.body)
      if (reaction === undefined) throw errors.invalidReaction()
      const asked = { message: message.id, reactor, wanted: wantedIn(on) }
      const { key, wanted } = await checkReaction(stores.db, reaction, asked)
      res.type('application/json').send(await toggleReaction(stores, message, reactor, key, wanted))
    },
  ),

  endpoint(
    'GET /search_messages',
    {
      who: 'signed in',
      limit: ['search'],
      errors: 'text',
      answers: { 200: payload<SearchResultPayload[]>('SearchResultPayload[]') },
      fails: [503],
    },
    async ({ stores, req, res, viewer }) => {
      const filters = filtersIn(req.query)
      const channel = wordsIn(req.query.channel)
      if (channel !== undefined) {
        filters.channel = (await findReadableChannel(stores, viewer, channel))?.id
        if (filters.channel === undefined) return []
      }
      await searchesAtOnce(stores)(viewer, async () =>
        streamArray(res, [await search(stores, viewer, filters)]),
      )
    },
  ),
]

/** Tells the sender of a text whom its mentions do not reach. */
function tellMentions(
  res: Response,
  { isEveryoneIgnored, missed }: Pick<Mentioned, 'isEveryoneIgnored' | 'missed'>,
) {
  if (isEveryoneIgnored) res.set('X-Mention-Ignored', 'everyone')
  if (missed.length === 0) return
  res.set('X-Mention-Missed', missed.map(({ handle, count }) => `${handle}=${count}`).join(', '))
}

/** Addresses of messages, for links from elsewhere (interface 11.1). Without a session they continue after signing in. */
export const messageLinkEndpoints = [
  endpoint(
    'GET /m/:id',
    { who: 'anybody', errors: 'text', answers: { 302: redirect }, fails: [404] },
    async ({ stores, res, viewer, params }) => {
      const id = idFrom(params.id)
      if (viewer === undefined)
        return res.redirect(302, id === undefined ? '/login' : signInPath('/login', `/m/${id}`))
      const message = await readableMessage(stores, viewer, params.id)
      res.redirect(302, `/${fragmentOf(message.channel.id, message.id)}`)
    },
  ),
]

const SEND = v.object({
  text,
  reply_to_id: text,
  client_id: text,
  part_of: text,
  composed_for: text,
  quiet: text,
})
const UPLOADS = v.object({ uploads: text })
const EDIT = v.object({ text })
const REACT = v.object({ reaction: text, on: text })

/** Responses in progress per user and process, until the client has taken them. */
const MOST_HISTORIES = 4
const MOST_PAGES = 16
const MOST_SEARCHES = 3

const MOST_ROWS = 200

type Page = (
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
) => AsyncIterable<MessagePayload[]> | Promise<AsyncIterable<MessagePayload[]>>

/** The page that a query asks for; undefined: the whole history. */
function pageIn(query: Request['query'], shown: Shown): Page | undefined {
  const limit = limitIn(query['limit'])
  const id = query['around']
  if (typeof id === 'string') return (...where) => around(...where, id, limit ?? 50, shown)
  const ts = timeIn(query['around_ts'])
  if (ts !== undefined) return (...where) => aroundTime(...where, ts, limit ?? 50, shown)
  const before = timeIn(query['before']) ?? Infinity
  return limit === undefined ? undefined : (...where) => newestBefore(...where, before, limit, shown)
}

function limitIn(value: unknown) {
  if (value === undefined) return undefined
  const limit = idFrom(value)
  if (limit === undefined) throw errors.badRequest(`limit must be a number from 1 to ${MOST_ROWS}`)
  return Math.min(limit, MOST_ROWS)
}

/** Undefined if it cannot be parsed (interface 4.3, search). */
function timeIn(value: unknown): Seconds | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const seconds = Number(value)
  return Number.isFinite(seconds) ? seconds : undefined
}

/** Ours: sets the reaction instead of toggling it. */
function wantedIn(on: string | undefined) {
  if (on === undefined) return undefined
  if (on !== '0' && on !== '1') throw errors.badRequest('on must be 1 or 0')
  return on === '1'
}

const filtersIn = (query: Request['query']): SearchFilters => ({
  q: wordsIn(query['q']),
  from: wordsIn(query['from']),
  start: timeIn(query['start']),
  end: timeIn(query['end']),
  has: hasIn(query['has']),
  beforeId: idFrom(query['before_id']),
})

const LONGEST_WORDS = 500

function wordsIn(value: unknown) {
  if (typeof value !== 'string' || value.trim() === '' || value.includes('\0')) return undefined
  return value.toWellFormed().slice(0, LONGEST_WORDS)
}

const hasIn = (value: unknown) => (['image', 'link', 'file'] as const).find(kind => kind === value)

/** Undefined if it is not a UUID; the send is then a new one. */
function clientIdIn(text: string | undefined) {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : undefined
}
