import * as v from 'valibot'
import { lockUndeleted } from '#shared/access/lock-channels.ts'
import { lockParticipants } from '#shared/access/lock-participants.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { readableThread } from '#shared/access/readable-thread.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { DraftPayload } from '#shared/domain/payloads/later.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { lockOwnLists, touchOwnLists } from '#shared/notices/own-lists.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { channelExists, participantsNamed } from '#shared/posting/people-named.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { tellNext } from '../../middleware/paging.ts'
import {
  countDrafts,
  forgetUnreadable,
  type Place,
  putDraft,
  readDrafts,
  removeDraft,
  timeOfDraft,
  trimRemoved,
} from './queries.ts'

const MOST_DRAFTS = 200
const NO_TIME = f.invalid('a time in seconds')
/** Removals that win against older writes. */
const MOST_REMOVED = 1_000

const PLACE = v.tuple([v.pipe(v.number(), v.finite()), v.string(), v.pipe(v.number(), v.safeInteger())])

const DRAFT = f.fields({
  text: f.exactText,
  thread_id: v.optional(f.wholeNumber(0, Number.MAX_SAFE_INTEGER, f.invalid('the id of a message, or 0')), 0),
  updated_ts: v.pipe(f.number, v.minValue(0, NO_TIME), v.finite(NO_TIME)),
})

/** Interface 11.5: unsent texts, on all devices of a person. */
export const draftEndpoints = [
  endpoint(
    'GET /drafts',
    {
      summary: 'Lists the drafts of the person.',
      who: 'signed in',
      query: f.fields({ cursor: f.cursor(PLACE) }),
      answers: { 200: payload(v.array(DraftPayload)) },
      fails: [400],
    },
    async ({ stores, res, viewer, query: { cursor } }) => {
      const { items, more } = await readDrafts(stores, viewer, cursor, MOST_DRAFTS)
      const last = items.at(-1)
      if (more && last) tellNext(res, [last.updated_ts, last.channel, last.thread_id])
      return items satisfies DraftPayload[]
    },
  ),

  endpoint(
    'PUT /drafts/:channel',
    {
      summary: 'Stores the draft of a channel or thread; an empty text removes it.',
      who: 'member',
      limit: ['other'],
      body: jsonBody(DRAFT),
      answers: { 204: nothing },
      fails: [400, 404, 409],
    },
    async ({ stores, res, viewer, params, body }) => {
      const stored = await keepDraft(stores, viewer, params.channel, draftOf(stores, body))
      if (stored !== undefined) res.set('X-Draft-Ignored', String(stored))
    },
  ),
]

type Draft = Omit<DraftPayload, 'channel'>

/** The newer `updated_ts` wins; an empty text removes the draft. Returns the time of a stored draft that is newer. */
async function keepDraft(
  stores: Stores,
  viewer: Username,
  name: string,
  { text, thread_id, updated_ts }: Draft,
): Promise<Seconds | undefined> {
  const channel = await findReadableChannel(stores, viewer, name)
  // A draft in a channel that the person has left can be removed.
  const id = channel?.id ?? (text === '' ? parseChannelId(name)?.id : undefined)
  if (id === undefined) throw errors.notFound()
  const place = { channel: id, thread_id }
  if (channel && text !== '') await checkPlace(stores, viewer, channel, thread_id)
  const isKept = await runTransaction(stores, 'changeDrafts', { users: [viewer] }, async tx => {
    if (channel) await lockParticipants(tx, channel.id)
    if (!(await lockOwnLists(tx, viewer))) throw errors.signedOut()
    if (channel) await lockUndeleted(stores, tx, [channel.id])
    if (text === '') {
      if (!(await removeDraft(tx, viewer, place, updated_ts))) return unchanged
      await trimRemoved(tx, viewer, MOST_REMOVED)
    } else {
      await checkRoom(tx, stores, viewer, place)
      if (!(await putDraft(tx, viewer, { ...place, text, updated_ts }))) return unchanged
    }
    await touchOwnLists(tx, viewer, 'drafts_rev')
    return true
  })
  if (isKept === true) return undefined
  const stored = await timeOfDraft(stores.db, viewer, place)
  if (stored === undefined && !channel) throw errors.notFound()
  return stored !== undefined && stored > updated_ts ? stored : undefined
}

/** Both participants of a DM and the thread must exist. */
async function checkPlace(stores: Stores, viewer: Username, channel: ReadableChannel, thread: number) {
  if (channel.kind === 'dm') {
    const known = await participantsNamed(
      stores.db,
      channel.participants.map(one => one.toLowerCase()),
    )
    const isKnown =
      known.length === channel.participants.length || (await channelExists(stores.db, channel.id))
    if (!isKnown) throw errors.notFound()
  }
  if (thread === 0) return
  const { rootId, channel: of } = await readableThread(stores, viewer, String(thread))
  if (of.id !== channel.id || rootId !== thread) throw errors.notFound()
}

async function checkRoom(tx: Db, stores: Stores, viewer: Username, place: Place) {
  if ((await countDrafts(tx, viewer, place)) < MOST_DRAFTS) return
  await forgetUnreadable(tx, stores, viewer)
  if ((await countDrafts(tx, viewer, place)) >= MOST_DRAFTS)
    throw errors.coded(409, 'conflict', `At most ${MOST_DRAFTS} drafts.`)
}

/** A device whose clock is ahead must not win against later writes of others. */
function draftOf({ clock, settings }: Stores, { text, thread_id, updated_ts: ts }: Draft): Draft {
  const most = settings.current.max_message_chars
  if (!f.isWithin(text, most)) throw errors.tooLong('text', most)
  return { text: text.trim() === '' ? '' : text, thread_id, updated_ts: Math.min(ts, clock.now()) }
}
