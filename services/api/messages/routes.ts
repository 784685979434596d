import { type Request, type Response, Router } from 'express'
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
import type { MessagePayload, SingleMessagePayload } from '#shared/domain/payloads.ts'
import { afterFrom, idFrom, type Seconds, type Username } from '#shared/domain/units.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Mentioned } from '#shared/posting/mentioned.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkReaction } from '../files/emoji/check-reaction.ts'
import { uploadIdsIn } from '../files/uploads/complete-uploads.ts'
import { actorOf } from '../middleware/administration.ts'
import { atOnce } from '../middleware/at-once.ts'
import { fields, form, json, keepsAllFiles, messageUploads, uploadsOf } from '../middleware/bodies.ts'
import { readBody, text } from '../middleware/body-fields.ts'
import { bodyOf } from '../middleware/coded-fields.ts'
import { errorsWithCode } from '../middleware/errors.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { deleteMessage } from './delete.ts'
import { edit } from './edit.ts'
import { around, aroundTime, changedSince, newestBefore, type Shown, wholeMessage } from './history.ts'
import { heldRowsIn, linkedMessages } from './linked.ts'
import { moderateDelete } from './moderate.ts'
import { toggleReaction } from './react.ts'
import { type SearchFilters, search } from './search.ts'
import { send } from './send.ts'
import { HISTORY_LIMITS, streamArray } from './stream-array.ts'

/** Interface 4.3. */
export function messageRoutes(stores: Stores): Router {
  const routes = Router()
  const historiesAtOnce = atOnce(stores, MOST_HISTORIES)
  const pagesAtOnce = atOnce(stores, MOST_PAGES)
  const searchesAtOnce = atOnce(stores, MOST_SEARCHES)

  routes.get('/messages/:channel', async (req, res) => {
    const viewer = viewerOf(req)
    const channel = await readableChannel(stores, viewer, req.params.channel)
    const shown = { withExtra: req.query['extra'] === '1' }
    const page = pageIn(req.query, shown)
    if (page) return pagesAtOnce(viewer, async () => streamArray(res, await page(stores, viewer, channel)))
    const after = afterFrom(req.query.after)
    await historiesAtOnce(viewer, () =>
      streamArray(res, changedSince(stores, viewer, channel, after, shown), HISTORY_LIMITS),
    )
  })

  routes.post(
    '/send/:channel',
    async (req, res, next) => {
      // Before the body is read, so that outsiders cannot upload; the statement of the send checks again.
      res.locals['channel'] = await readableChannel(stores, viewerOf(req), req.params['channel'] as string)
      next()
    },
    form,
    messageUploads(stores),
    async (req, res) => {
      const channel: ReadableChannel = res.locals['channel']
      const body = readBody(SEND, req.body)
      await checkComposedFor(stores, viewerOf(req), channel, body.composed_for)
      const sent = await send(stores, viewerOf(req), channel, {
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
  )

  routes.get('/message/:id', async (req, res) => {
    if (req.query['full'] === '1') {
      const withExtra = req.query['extra'] === '1'
      return void res.json(await wholeMessage(stores, viewerOf(req), req.params.id, { withExtra }))
    }
    const { id, sender, content, filename, deleted } = await readableMessage(
      stores,
      viewerOf(req),
      req.params.id,
    )
    res.json({ id, sender, content, filename, deleted } satisfies SingleMessagePayload)
  })

  routes.get('/linked_messages', errorsWithCode, async (req, res) => {
    res.json(await linkedMessages(stores, viewerOf(req), heldRowsIn(req.query['ids'])))
  })

  routes.post('/edit/:id', fields, async (req, res) => {
    const body = readBody(EDIT, req.body)
    tellMentions(res, await edit(stores, viewerOf(req), req.params.id, visibleText((body.text ?? '').trim())))
    res.type('text/plain').send('ok')
  })

  routes.post('/delete/:id', async (req, res) => {
    await deleteMessage(stores, viewerOf(req), req.params.id)
    res.type('text/plain').send('ok')
  })

  routes.post('/moderate/delete/:id', errorsWithCode, json, async (req, res) => {
    await moderateDelete(stores, actorOf(req), req.params.id, bodyOf(req))
    res.status(204).end()
  })

  routes.post('/react/:id', fields, async (req, res) => {
    const message = await readableMessage(stores, viewerOf(req), req.params.id)
    const reactor = viewerOf(req)
    const { reaction, on } = readBody(REACT, req.body)
    if (reaction === undefined) throw errors.invalidReaction()
    const asked = { message: message.id, reactor, wanted: wantedIn(on) }
    const { key, wanted } = await checkReaction(stores.db, reaction, asked)
    res.type('application/json').send(await toggleReaction(stores, message, reactor, key, wanted))
  })

  routes.get('/search_messages', async (req, res) => {
    const filters = filtersIn(req.query)
    const channel = wordsIn(req.query.channel)
    if (channel !== undefined) {
      filters.channel = (await findReadableChannel(stores, viewerOf(req), channel))?.id
      if (filters.channel === undefined) return void res.json([])
    }
    await searchesAtOnce(viewerOf(req), async () =>
      streamArray(res, [await search(stores, viewerOf(req), filters)]),
    )
  })

  return routes
}

/** Tells the sender of a text whom its mentions do not reach. */
function tellMentions(
  res: Response,
  { isEveryoneIgnored, missed }: Pick<Mentioned, 'isEveryoneIgnored' | 'missed'>,
) {
  if (isEveryoneIgnored) res.set('X-Mention-Ignored', 'everyone')
  if (missed.length === 0) return
  res.set('X-Mention-Missed', missed.map(({ handle, count }) => `${handle}=${count}`).join(', '))
}

/** Addresses of messages, for links from elsewhere (interface 10). Without a session they continue after signing in. */
export function messageLinkRoutes(stores: Stores): Router {
  const routes = Router()
  routes.get('/m/:id', async (req, res) => {
    const viewer = viewerIn(req)
    const id = idFrom(req.params.id)
    if (viewer === undefined)
      return res.redirect(302, id === undefined ? '/login' : signInPath('/login', `/m/${id}`))
    const message = await readableMessage(stores, viewer, req.params.id)
    res.redirect(302, `/${fragmentOf(message.channel.id, message.id)}`)
  })
  return routes
}

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
