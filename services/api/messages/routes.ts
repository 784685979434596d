import type { Response } from 'express'
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
import {
  LinkedMessagesPayload,
  MessagePayload,
  ReactionsPayload,
  SingleMessagePayload,
} from '#shared/domain/payloads/messages.ts'
import { SearchResultPayload } from '#shared/domain/payloads/search.ts'
import { afterFrom, idFrom, type Username, uuidFrom } from '#shared/domain/units.ts'
import type { Mentioned } from '#shared/posting/mentioned.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkReaction } from '../files/emoji/check-reaction.ts'
import { uploadIdsIn } from '../files/uploads/complete-uploads.ts'
import { actorOf } from '../middleware/administration.ts'
import { atOnce } from '../middleware/at-once.ts'
import { messageUploads, uploadsOf } from '../middleware/bodies.ts'
import { formBody, formOrFilesBody, jsonBody } from '../middleware/body-readers.ts'
import { endpoint, nothing, ok, payload, redirect } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { perStores } from '../middleware/per-stores.ts'
import { deleteMessage } from './delete.ts'
import { edit } from './edit.ts'
import { around, aroundTime, changedSince, newestBefore, type Shown, wholeMessage } from './history.ts'
import { heldRows, linkedMessages } from './linked.ts'
import { moderateDelete } from './moderate.ts'
import { toggleReaction } from './react.ts'
import { search } from './search.ts'
import { send } from './send.ts'
import { HISTORY_LIMITS, streamArray } from './stream-array.ts'

/** Responses in progress per user and process, until the client has taken them. */
const MOST_HISTORIES = 4
const MOST_PAGES = 16
const MOST_SEARCHES = 3
const MOST_ROWS = 200
const LONGEST_WORDS = 500
const LONGEST_REASON = 200

const historiesAtOnce = perStores(stores => atOnce(stores, MOST_HISTORIES))
const pagesAtOnce = perStores(stores => atOnce(stores, MOST_PAGES))
const searchesAtOnce = perStores(stores => atOnce(stores, MOST_SEARCHES))

const HISTORY = f.fields({
  extra: f.isOne,
  limit: v.exactOptional(
    v.pipe(
      v.unknown(),
      v.transform(text => idFrom(text)),
      v.number(`$ must be a number from 1 to ${MOST_ROWS}`),
      v.transform(limit => Math.min(limit, MOST_ROWS)),
    ),
  ),
  around: v.fallback(v.optional(v.string()), undefined),
  around_ts: f.lenientTime,
  before: f.lenientTime,
  after: v.pipe(f.anything, v.transform(afterFrom)),
})

/** Undefined if it is not a UUID; the send is then a new one. */
const onceId = v.pipe(
  f.lenientText,
  v.transform(text => (uuidFrom(text) === undefined ? undefined : text)),
)

/** Files of any type. */
const isAll = v.pipe(
  f.anything,
  v.transform(value => value === 'all'),
)

const SEND = f.fields({
  text: f.lenientText,
  reply_to_id: f.lenientText,
  client_id: onceId,
  part_of: onceId,
  composed_for: f.lenientText,
  quiet: f.lenientText,
  uploads: v.fallback(v.optional(v.string()), undefined),
})

const REACT = f.fields({
  reaction: v.pipe(v.optional(v.unknown(), null), f.lenientText, v.string('invalid reaction')),
  /** Ours: sets the reaction instead of toggling it. */
  on: v.pipe(
    f.lenientText,
    v.check(on => on === undefined || on === '0' || on === '1', '$ must be 1 or 0'),
    v.transform(on => (on === undefined ? undefined : on === '1')),
  ),
})

/** Cut at LONGEST_WORDS; undefined if empty. */
const words = v.pipe(
  f.anything,
  v.transform(value =>
    typeof value !== 'string' || value.trim() === '' || value.includes('\0')
      ? undefined
      : value.toWellFormed().slice(0, LONGEST_WORDS),
  ),
)

const SEARCH = f.fields({
  q: words,
  from: words,
  channel: words,
  start: f.lenientTime,
  end: f.lenientTime,
  has: v.fallback(v.optional(v.picklist(['image', 'link', 'file'])), undefined),
  before_id: v.pipe(f.anything, v.transform(idFrom)),
})

/** Interface 4.3. */
export const messageEndpoints = [
  endpoint(
    'GET /messages/:channel',
    {
      summary: 'Lists a page of the messages of a channel.',
      who: 'member',
      errors: 'text',
      query: HISTORY,
      answers: { 200: payload(v.array(MessagePayload)) },
      fails: [400, 403, 404],
    },
    async call => {
      const { stores, res, viewer, params } = call
      const channel = await readableChannel(stores, viewer, params.channel)
      const { extra: withExtra = false, after = 0, ...query } = call.query
      const shown = { withExtra }
      const page = pageIn(query, shown)
      if (page)
        return pagesAtOnce(stores)(viewer, async () => streamArray(res, await page(stores, viewer, channel)))
      await historiesAtOnce(stores)(viewer, () =>
        streamArray(res, changedSince(stores, viewer, channel, after, shown), HISTORY_LIMITS),
      )
    },
  ),

  endpoint(
    'POST /send/:channel',
    {
      summary: 'Sends a message, also with files.',
      who: 'member',
      limit: ['send', 'files'],
      errors: 'text',
      // Outsiders cannot upload; the statement of the send checks again.
      prepare: ({ stores, viewer, params }) => readableChannel(stores, viewer, String(params['channel'])),
      query: f.fields({ files: isAll }),
      body: formOrFilesBody(messageUploads, 'files', SEND),
      answers: { 200: ok },
      fails: [400, 403, 409, 413],
    },
    async ({ stores, req, res, viewer, ready: channel, query, body }) => {
      await checkComposedFor(stores, viewer, channel, body.composed_for)
      const sent = await send(stores, viewer, channel, {
        text: visibleText((body.text ?? '').trimEnd()),
        replyTo: idFrom(body.reply_to_id),
        clientId: body.client_id,
        partOf: body.part_of,
        isQuiet: body.quiet === '1',
        uploads: uploadsOf(req),
        inParts: query.files ? uploadIdsIn(body.uploads) : undefined,
      })
      tellMentions(res, sent)
      res.set('X-Message-Id', String(sent.id)).type('text/plain').send('ok')
    },
  ),

  endpoint(
    'GET /message/:id',
    {
      summary: 'Gives a message.',
      who: 'member',
      within: 'message',
      errors: 'text',
      query: f.fields({ full: f.isOne, extra: f.isOne }),
      answers: {
        200: payload(v.union([MessagePayload, SingleMessagePayload])),
      },
      fails: [404],
    },
    async ({ stores, viewer, params, query: { full, extra: withExtra = false } }) => {
      if (full) return await wholeMessage(stores, viewer, params.id, { withExtra })
      const { id, sender, content, filename, deleted } = await readableMessage(stores, viewer, params.id)
      return { id, sender, content, filename, deleted } satisfies SingleMessagePayload
    },
  ),

  endpoint(
    'GET /linked_messages',
    {
      summary: 'Gives the messages to which links lead.',
      who: 'signed in',
      query: f.fields({ ids: heldRows }),
      answers: { 200: payload(LinkedMessagesPayload) },
      fails: [400],
    },
    async ({ stores, viewer, query: { ids } }) => linkedMessages(stores, viewer, ids),
  ),

  endpoint(
    'POST /edit/:id',
    {
      summary: 'Edits an own message.',
      who: 'author',
      within: 'message',
      limit: ['change'],
      errors: 'text',
      body: formBody(f.fields({ text: f.lenientText })),
      answers: { 200: ok },
      fails: [400, 403, 413],
    },
    async ({ stores, res, viewer, params, body }) => {
      tellMentions(res, await edit(stores, viewer, params.id, visibleText((body.text ?? '').trim())))
      res.type('text/plain').send('ok')
    },
  ),

  endpoint(
    'POST /delete/:id',
    {
      summary: 'Deletes an own message.',
      who: 'author',
      within: 'message',
      limit: ['change'],
      errors: 'text',
      answers: { 200: ok },
      fails: [403],
    },
    async ({ stores, res, viewer, params }) => {
      await deleteMessage(stores, viewer, params.id)
      res.type('text/plain').send('ok')
    },
  ),

  endpoint(
    'POST /moderate/delete/:id',
    {
      summary: 'Deletes a message of another person, as a moderator.',
      who: 'moderator',
      within: 'message',
      limit: ['change'],
      body: jsonBody(f.fields({ reason: f.text(LONGEST_REASON) })),
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params, body }) => {
      await moderateDelete(stores, actorOf(req), params.id, body.reason ?? undefined)
    },
  ),

  endpoint(
    'POST /react/:id',
    {
      summary: 'Adds or removes a reaction of the person to a message.',
      who: 'member',
      within: 'message',
      limit: ['change'],
      errors: 'text',
      body: formBody(REACT),
      answers: { 200: payload(ReactionsPayload) },
      fails: [400, 403, 404],
    },
    async call => {
      const { stores, res, viewer: reactor, params } = call
      const message = await readableMessage(stores, reactor, params.id)
      const { reaction, on } = call.body
      const asked = { message: message.id, reactor, wanted: on }
      const { key, wanted } = await checkReaction(stores.db, reaction, asked)
      res.type('application/json').send(await toggleReaction(stores, message, reactor, key, wanted))
    },
  ),

  endpoint(
    'GET /search_messages',
    {
      summary: 'Searches the messages that the person may read, in the form of the base.',
      who: 'signed in',
      limit: ['search'],
      errors: 'text',
      query: SEARCH,
      answers: { 200: payload(v.array(SearchResultPayload)) },
      fails: [503],
    },
    async ({ stores, res, viewer, query: { channel: name, before_id: beforeId, ...query } }) => {
      const channel = name === undefined ? undefined : await findReadableChannel(stores, viewer, name)
      if (name !== undefined && !channel) return []
      const filters = { ...query, beforeId, channel: channel?.id }
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
    {
      summary: 'Leads to a message in the client.',
      who: 'anybody',
      errors: 'text',
      answers: { 302: redirect },
      fails: [404],
    },
    async ({ stores, res, viewer, params }) => {
      const id = idFrom(params.id)
      if (viewer === undefined)
        return res.redirect(302, id === undefined ? '/login' : signInPath('/login', `/m/${id}`))
      const message = await readableMessage(stores, viewer, params.id)
      res.redirect(302, `/${fragmentOf(message.channel.id, message.id)}`)
    },
  ),
]

type Page = (
  stores: Stores,
  viewer: Username,
  channel: ReadableChannel,
) => AsyncIterable<MessagePayload[]> | Promise<AsyncIterable<MessagePayload[]>>

/** The page that a query asks for; undefined: the whole history. */
function pageIn(
  { limit, around: id, around_ts: ts, before = Infinity }: Partial<v.InferOutput<typeof HISTORY>>,
  shown: Shown,
): Page | undefined {
  if (id !== undefined) return (...where) => around(...where, id, limit ?? 50, shown)
  if (ts !== undefined) return (...where) => aroundTime(...where, ts, limit ?? 50, shown)
  return limit === undefined ? undefined : (...where) => newestBefore(...where, before, limit, shown)
}
