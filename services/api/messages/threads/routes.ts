import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { readableThread } from '#shared/access/readable-thread.ts'
import { readersOf } from '#shared/access/readers.ts'
import { presentReaders } from '#shared/collections/mentions.ts'
import { ThreadPayload, ThreadsPayload, ThreadsReadPayload } from '#shared/domain/payloads/threads.ts'
import type { Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
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
import * as f from '../../middleware/fields.ts'
import { cursorText } from '../../middleware/paging.ts'
import { perStores } from '../../middleware/per-stores.ts'
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

const PAGE = f.fields({ limit: f.limit(), before: f.idText('the id of a message') })
const LIST = f.fields({
  limit: f.limit(),
  cursor: f.cursor(v.tuple([v.pipe(v.number(), v.finite()), v.pipe(v.number(), v.safeInteger())])),
  unread: f.bit,
  own: f.bit,
  channel: f.anything,
})
const READ = f.fields({
  upto: f.mayBeNull(
    v.custom<number>(upto => f.isInteger(upto) && upto > 0, f.invalid('the id of a message')),
  ),
})
const ALL_READ = f.fields({
  until: f.given<Seconds>(
    until => Number.isFinite(until) && Number(until) > 0,
    f.invalid('a time in seconds'),
  ),
  /** Only threads whose root the viewer wrote. */
  own: v.optional(v.boolean(f.invalid('true or false')), false),
})

/** Interface 11.2. */
export const threadEndpoints = [
  endpoint(
    'GET /thread/:id',
    {
      summary: 'Gives a thread with a page of its replies.',
      who: 'member',
      within: 'thread',
      query: PAGE,
      answers: { 200: payload(ThreadPayload) },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, query }) =>
      await pagesAtOnce(stores)(viewer, () => threadPage(stores, viewer, params.id, query)),
  ),

  endpoint(
    'PUT /thread/:id/follow',
    {
      summary: 'Follows a thread.',
      who: 'member',
      within: 'thread',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [404],
    },
    ({ stores, viewer, params }) => follow(stores, viewer, params.id, true),
  ),

  endpoint(
    'DELETE /thread/:id/follow',
    {
      summary: 'Stops following a thread.',
      who: 'member',
      within: 'thread',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [404],
    },
    ({ stores, viewer, params }) => follow(stores, viewer, params.id, false),
  ),

  endpoint(
    'POST /thread/:id/read',
    {
      summary: 'Marks a thread as read.',
      who: 'member',
      within: 'thread',
      limit: ['other'],
      body: jsonBody(READ),
      answers: { 204: nothing },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, body: { upto } }) => {
      const thread = await readableThread(stores, viewer, params.id)
      // All replies if it is missing.
      await readThread(stores, viewer, thread, upto ?? Number.MAX_SAFE_INTEGER)
    },
  ),

  endpoint(
    'POST /threads/read',
    {
      summary: 'Marks followed threads as read, up to a time.',
      who: 'signed in',
      limit: ['search'],
      body: jsonBody(ALL_READ),
      answers: { 200: payload(ThreadsReadPayload) },
      fails: [400, 503],
    },
    async ({ stores, viewer, body: asked }) => {
      const more = await longReadsAtOnce(stores)(viewer, () => readThreads(stores, viewer, asked))
      return { more } satisfies ThreadsReadPayload
    },
  ),

  endpoint(
    'GET /threads',
    {
      summary: 'Lists a page of threads that the person follows.',
      who: 'signed in',
      limit: ['search'],
      query: LIST,
      answers: { 200: payload(ThreadsPayload) },
      fails: [400, 404, 503],
    },
    async ({ stores, viewer, query }) =>
      await longReadsAtOnce(stores)(viewer, () => threadsOf(stores, viewer, query)),
  ),
]

async function follow(stores: Stores, viewer: Username, id: string, isFollowing: boolean) {
  const thread = await readableThread(stores, viewer, id)
  const scope = { users: [viewer] }
  await runAmongParticipants(stores, 'followThread', thread.channel.id, scope, async db =>
    (await setFollowing(db, viewer, thread, isFollowing)) ? undefined : unchanged,
  )
}

/** A page of a thread, with its root, for one who may read it. */
export async function threadPage(
  stores: Stores,
  viewer: Username,
  id: string,
  { limit, before }: v.InferOutput<typeof PAGE>,
): Promise<ThreadPayload> {
  const thread = await readableThread(stores, viewer, id)
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

async function threadsOf(
  stores: Stores,
  viewer: Username,
  {
    limit,
    cursor: place,
    unread: unreadOnly = false,
    own: ownOnly = false,
    channel: name,
  }: v.InferOutput<typeof LIST>,
): Promise<ThreadsPayload> {
  const channel = name === undefined ? undefined : await findReadableChannel(stores, viewer, name)
  if (name !== undefined && !channel) throw errors.notFound()

  const { items: page, more } = await listWithin(stores, viewer, {
    channel: channel?.id,
    unreadOnly,
    ownOnly,
    limit: Math.min(limit, MOST_THREADS),
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

/** Marks the followed threads without a reply after `until` as read, newest first. Returns whether others may be left. */
async function readThreads(
  stores: Stores,
  viewer: Username,
  { until, own: ownOnly }: v.InferOutput<typeof ALL_READ>,
): Promise<boolean> {
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
