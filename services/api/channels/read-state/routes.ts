import * as v from 'valibot'
import {
  findReadableChannel,
  type ReadableChannel,
  readableChannel,
} from '#shared/access/readable-channel.ts'
import { findReadableMessage, readableMessage } from '#shared/access/readable-message.ts'
import { hasMoreReaders } from '#shared/access/readers.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { readReceipts, readReceiptsFor } from '#shared/collections/read-receipts.ts'
import { AllReadPayload } from '#shared/domain/payloads/channels.ts'
import { ReadReceiptsPayload, SeenPayload } from '#shared/domain/payloads/messages.ts'
import type { Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { publishInvalidated } from '#shared/notices/invalidated.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { runAmongParticipants } from '../run-among-participants.ts'
import { MOST_CHANNELS, markAllRead } from './mark-all-read.ts'
import { MOST_UNREAD, markUnread } from './mark-unread.ts'
import { markRead, ownReadReceipt } from './read-marker.ts'
import { readersOfMessage } from './seen.ts'

const NO_CURSOR = '$ must be that of a page'
/** The last name of the previous page. */
const name = v.pipe(
  v.string(NO_CURSOR),
  v.check(name => !name.includes('\0'), NO_CURSOR),
)

const NOBODY: SeenPayload = { count: 0, names: [], cursor: null }

async function markAndTell(stores: Stores, viewer: Username) {
  const channels = await markAllRead(stores, viewer)
  await publishInvalidated(
    stores,
    channels.map(({ channel }) => ({ name: 'markRead' as const, channel, users: [viewer] })),
  )
  return channels
}

/** Interface 4.3, POST /mark_read and GET /read_receipts; GET /seen is ours. */
export const readStateEndpoints = [
  endpoint(
    'POST /mark_read/:channel',
    {
      summary: 'Marks a channel as read, or undoes that.',
      who: 'member',
      limit: ['other'],
      errors: 'text',
      query: f.fields({ undo: f.isOne }),
      answers: { 200: payload(AllReadPayload), 204: nothing },
      fails: [400, 403],
    },
    async ({ stores, viewer, params, query: { undo } }) => {
      const channel: ReadableChannel = await readableChannel(stores, viewer, params.channel)
      const scope = { channel: channel.id, users: [viewer] }
      const mark = <T>(work: (db: Db) => Promise<T>) =>
        runAmongParticipants(stores, 'markRead', channel.id, scope, work)
      // Ours: the response has the message from which `/mark_unread` restores the count.
      if (undo) {
        const channels = await mark(db => markAllRead({ ...stores, db }, viewer, channel.id))
        return { channels } satisfies AllReadPayload
      }
      await mark(async db => ((await markRead(db, viewer, channel.id)) ? undefined : unchanged))
    },
  ),

  endpoint(
    'POST /mark_unread/:channel',
    {
      summary: 'Marks a channel as unread from a message on.',
      who: 'member',
      limit: ['other'],
      body: jsonBody(f.fields({ message_id: f.number })),
      answers: { 204: nothing },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, body: { message_id: id } }) => {
      const channel = await findReadableChannel(stores, viewer, params.channel)
      const message = channel && (await findReadableMessage(stores, viewer, String(id)))
      if (message?.channel.id !== channel?.id || !message || message.deleted) throw errors.notFound()
      const [marked] = await runAmongParticipants(
        stores,
        'markUnread',
        message.channel.id,
        { users: [viewer] },
        db => markUnread({ ...stores, db }, viewer, [id]),
      )
      if (!marked) throw errors.invalid(`message_id must be among the newest ${MOST_UNREAD} messages`)
    },
  ),

  /** Undoes `/mark_all_read`: messages that are gone meanwhile are skipped. */
  endpoint(
    'POST /mark_unread',
    {
      summary: 'Marks channels as unread from given messages on.',
      who: 'signed in',
      limit: [['other', 15]],
      body: jsonBody(
        f.fields({
          message_ids: f.list(f.isInteger, `at most ${MOST_CHANNELS} ids`, { most: MOST_CHANNELS }),
        }),
      ),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, viewer, body: { message_ids: ids } }) => {
      await runStatement(stores, 'markUnread', { users: [viewer] }, () => markUnread(stores, viewer, ids))
    },
  ),

  endpoint(
    'POST /mark_all_read',
    {
      summary: 'Marks all channels as read.',
      who: 'signed in',
      limit: [['other', 15]],
      answers: { 200: payload(AllReadPayload) },
    },
    async ({ stores, viewer }) => ({ channels: await markAndTell(stores, viewer) }) satisfies AllReadPayload,
  ),

  endpoint(
    'GET /read_receipts/:channel',
    {
      summary: 'Tells how far the members of a channel have read.',
      who: 'member',
      errors: 'text',
      query: f.fields({ most: v.pipe(f.anything, v.transform(Number)) }),
      answers: {
        200: payload(ReadReceiptsPayload),
      },
      fails: [400, 403],
    },
    async ({ stores, res, viewer, params, query: { most = 0 } }) => {
      const channel = await readableChannel(stores, viewer, params.channel)
      // Ours: with more readers than `most`, the caller's own read marker only.
      if (!(most > 0)) return await payloadFor(readReceipts, stores, viewer, channel.id)
      // The own read marker even of a person who does not share it.
      const own = await ownReadReceipt(stores.db, viewer, channel.id)
      if (await hasMoreReaders(stores.db, channel.id, most)) res.json(own)
      else {
        const shared = await readReceiptsFor(stores, [viewer], channel.id, 'readers')
        res.json(Object.assign(shared.get(viewer) ?? own, own))
      }
    },
  ),

  // Ours: streams of large channels carry counts, and clients fetch the names on demand.
  endpoint(
    'GET /seen/:id',
    {
      summary: 'Lists the people who have seen a message.',
      who: 'member',
      within: 'message',
      errors: 'text',
      query: f.fields({ cursor: v.optional(name, '') }),
      answers: { 200: payload(SeenPayload) },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, query: { cursor } }) => {
      const message = await readableMessage(stores, viewer, params.id)
      const isShown = stores.settings.current.read_receipts
      return isShown && message.sender !== SYSTEM_SENDER
        ? await readersOfMessage(stores, message, cursor)
        : NOBODY
    },
  ),
]
