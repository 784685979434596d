import type { Request } from 'express'
import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { readableThread } from '#shared/access/readable-thread.ts'
import { readersOf } from '#shared/access/readers.ts'
import { presentReaders } from '#shared/collections/mentions.ts'
import type { ThreadPayload, ThreadsPayload, ThreadsReadPayload } from '#shared/domain/payloads/threads.ts'
import { idFrom, type Milliseconds, type Seconds, type Username } from '#shared/domain/units.ts'
import { unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Fitting } from '#shared/stores/first-that-fit.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import { isStatementTimeout } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { runAmongParticipants } from '../../channels/run-among-participants.ts'
import { atOnce, longReadsAtOnce } from '../../middleware/at-once.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { cursorText, pageCursor, pageLimit, wordIn } from '../../middleware/paging.ts'
import { perStores } from '../../middleware/per-stores.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import {
  type FollowedRow,
  followedThreads,
  followState,
  markThreadRead,
  peopleIn,
  rowsOf,
  setFollowing,
  type ThreadFilter,
  threadRows,
} from './queries.ts'

/** Concurrent pages of threads per user and process. */
const MOST_PAGES = 4
/** Counts of a page read up to 2,000 rows a thread. */
const MOST_THREADS = 50
const STATEMENT: Milliseconds = 3_000
const pagesAtOnce = perStores(stores => atOnce(stores, MOST_PAGES))

/** Interface 11.2. */
export const threadEndpoints = [
  endpoint(
    'GET /thread/:id',
    { who: 'member', answers: { 200: payload<ThreadPayload>('ThreadPayload') }, fails: [400, 404] },
    async ({ stores, req, viewer }) => await pagesAtOnce(stores)(viewer, () => pageOf(stores, req)),
  ),

  endpoint(
    'PUT /thread/:id/follow',
    { who: 'member', limit: ['other'], answers: { 204: nothing }, fails: [404] },
    ({ stores, viewer, params }) => follow(stores, viewer, params.id, true),
  ),

  endpoint(
    'DELETE /thread/:id/follow',
    { who: 'member', limit: ['other'], answers: { 204: nothing }, fails: [404] },
    ({ stores, viewer, params }) => follow(stores, viewer, params.id, false),
  ),

  endpoint(
    'POST /thread/:id/read',
    { who: 'member', limit: ['other'], body: jsonBody(), answers: { 204: nothing }, fails: [400, 404] },
    async ({ stores, req, viewer, params }) => {
      const upto = uptoIn(req.body)
      const thread = await readableThread(stores, viewer, params.id)
      await readThread(stores, viewer, thread, upto)
    },
  ),

  endpoint(
    'POST /threads/read',
    {
      who: 'signed in',
      limit: ['search'],
      body: jsonBody(),
      answers: { 200: payload<ThreadsReadPayload>('ThreadsReadPayload') },
      fails: [400, 503],
    },
    async ({ stores, req, viewer }) => {
      const asked = allReadIn(req)
      const more = await longReadsAtOnce(stores)(viewer, () => readThreads(stores, viewer, asked))
      return { more } satisfies ThreadsReadPayload
    },
  ),

  endpoint(
    'GET /threads',
    {
      who: 'signed in',
      limit: ['search'],
      answers: { 200: payload<ThreadsPayload>('ThreadsPayload') },
      fails: [400, 404, 503],
    },
    async ({ stores, req, viewer }) => await longReadsAtOnce(stores)(viewer, () => threadsOf(stores, req)),
  ),
]

async function follow(stores: Stores, viewer: Username, id: string, isFollowing: boolean) {
  const thread = await readableThread(stores, viewer, id)
  const scope = { users: [viewer] }
  await runAmongParticipants(stores, 'followThread', thread.channel.id, scope, async db =>
    (await setFollowing(db, viewer, thread, isFollowing)) ? undefined : unchanged,
  )
}

async function pageOf(stores: Stores, req: Request): Promise<ThreadPayload> {
  const viewer = viewerOf(req)
  const limit = pageLimit(req.query)
  const before = req.query['before'] === undefined ? undefined : idIn('before', req.query['before'])
  const thread = await readableThread(stores, viewer, req.params['id'])
  const { rootId, channel } = thread
  const [roots, { items: rows, more }, state, people] = await Promise.all([
    rowsOf(stores.db, [{ id: rootId, historyStart: channel.historyStart }]),
    threadRows(stores.db, thread, { before, limit }),
    followState(stores.db, viewer, thread),
    before === undefined ? peopleIn(stores.db, thread) : undefined,
  ])
  // After the rows: a former member gets nothing newer.
  if (!(await readersOf(stores, [viewer], channel.id)).has(viewer)) throw errors.notFound()
  const root = roots.get(rootId) ?? null
  return { root, rows, more, ...state, ...(people && { people }) }
}

const CURSOR = v.tuple([v.pipe(v.number(), v.finite()), v.pipe(v.number(), v.safeInteger())])

async function threadsOf(stores: Stores, req: Request): Promise<ThreadsPayload> {
  const viewer = viewerOf(req)
  const { query } = req
  const limit = Math.min(pageLimit(query), MOST_THREADS)
  const place = pageCursor(query, CURSOR)
  const unreadOnly = wordIn('unread', ['0', '1'], query['unread']) === '1'
  const ownOnly = wordIn('own', ['0', '1'], query['own']) === '1'
  const channel =
    query['channel'] === undefined ? undefined : await findReadableChannel(stores, viewer, query['channel'])
  if (query['channel'] !== undefined && !channel) throw errors.notFound()

  const { items: page, more } = await listWithin(stores, viewer, {
    channel: channel?.id,
    unreadOnly,
    ownOnly,
    limit,
    after: place && { ts: place[0], rootId: place[1] },
  })
  const rows = await rowsOf(
    stores.db,
    page.flatMap(({ root_id, last_id, history_start }) =>
      [root_id, last_id].map(id => ({ id, historyStart: history_start })),
    ),
  )
  const located = page.map(thread => ({ ...thread, ts: thread.last_ts }))
  const mayRead = await presentReaders(stores.db, new Map([[viewer, located]]))
  const last = page.at(-1)
  return {
    items: located
      .filter(thread => mayRead(viewer, thread))
      .map(({ root_id, channel, count, last_id, last_ts, people, unread, mentioned }) => ({
        id: root_id,
        channel,
        root: rows.get(root_id) ?? null,
        replies: count,
        last: rows.get(last_id) ?? null,
        last_ts,
        people,
        unread,
        mentioned,
        following: true,
      })),
    next: more && last ? cursorText([last.newest_ts, last.root_id]) : null,
  }
}

/** Pages of threads that one request marks as read. */
const MOST_READ_PAGES = 10

interface AllRead {
  until: Seconds
  /** Only threads whose root the viewer wrote. */
  ownOnly: boolean
}

/** Marks the followed threads without a reply after `until` as read, newest first. Returns whether others may be left. */
async function readThreads(stores: Stores, viewer: Username, { until, ownOnly }: AllRead): Promise<boolean> {
  let after: ThreadFilter['after']
  for (let page = 0; page < MOST_READ_PAGES; page++) {
    const { items: found, more } = await listWithin(stores, viewer, {
      channel: undefined,
      unreadOnly: true,
      ownOnly,
      limit: MOST_THREADS,
      after,
    })
    // A statement each, so that none holds the rows of another thread while it waits.
    for (const { root_id: rootId, channel, history_start: historyStart, last_ts, newest_id } of found) {
      // The newest reply may have several rows, of which the client knows the first.
      if (last_ts > until) continue
      const thread = { rootId, channel: { id: channel, historyStart } }
      await readThread(stores, viewer, thread, newest_id)
    }
    const last = found.at(-1)
    if (!last || !more) return false
    after = { ts: last.newest_ts, rootId: last.root_id }
  }
  return true
}

async function readThread(
  stores: Stores,
  viewer: Username,
  thread: Parameters<typeof markThreadRead>[2],
  upto: number,
) {
  const scope = { users: [viewer] }
  await runAmongParticipants(stores, 'readThread', thread.channel.id, scope, async db =>
    (await markThreadRead(db, viewer, thread, upto)) > 0 ? undefined : unchanged,
  )
}

/** Over the time of a statement: 503. */
async function listWithin(
  stores: Stores,
  viewer: Username,
  filter: ThreadFilter,
): Promise<Fitting<FollowedRow>> {
  try {
    const read = (tx: Db) => followedThreads({ ...stores, db: tx }, viewer, filter)
    return await inTransaction(stores.pool, read, { statement: STATEMENT })
  } catch (err) {
    if (!isStatementTimeout(err)) throw err
    throw errors.coded(503, 'unavailable', 'The list of threads takes too long.')
  }
}

function idIn(field: string, value: unknown): number {
  const id = idFrom(value)
  if (id === undefined) throw errors.invalid(`${field} must be the id of a message`)
  return id
}

function allReadIn(req: Request): AllRead {
  const { until, own } = (typeof req.body === 'object' ? (req.body ?? {}) : {}) as Record<string, unknown>
  if (typeof until !== 'number' || !Number.isFinite(until) || until <= 0)
    throw errors.invalid('until must be a time in seconds')
  if (own !== undefined && typeof own !== 'boolean') throw errors.invalid('own must be true or false')
  return { until, ownOnly: own === true }
}

/** All replies if it is missing. */
function uptoIn(body: unknown): number {
  const { upto } = (typeof body === 'object' ? (body ?? {}) : {}) as { upto?: unknown }
  if (upto === undefined || upto === null) return Number.MAX_SAFE_INTEGER
  if (typeof upto !== 'number' || !Number.isSafeInteger(upto) || upto <= 0)
    throw errors.invalid('upto must be the id of a message')
  return upto
}
