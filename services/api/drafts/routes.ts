import { Router } from 'express'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { DraftPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { touchOwnLists } from '#shared/notices/own-lists.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../middleware/bodies.ts'
import { type Body, bodyOf } from '../middleware/coded-fields.ts'
import { errorsWithCode } from '../middleware/errors.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { countDrafts, putDraft, readDrafts } from './queries.ts'

const MOST_DRAFTS = 200

/** Interface 10.29: unsent texts, on all devices of a person. */
export function draftRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/drafts', errorsWithCode)

  routes.get('/drafts', async (req, res) => {
    res.json((await readDrafts(stores.db, viewerOf(req))) satisfies DraftPayload[])
  })

  routes.put('/drafts/:channel', json, async (req, res) => {
    const draft = draftIn(stores, bodyOf(req))
    const channel = await findReadableChannel(stores, viewerOf(req), req.params['channel'])
    if (!channel) throw errors.notFound()
    await keepDraft(stores, viewerOf(req), channel.id, draft)
    res.status(204).end()
  })

  return routes
}

type Draft = Omit<DraftPayload, 'channel'>

/** The newer `updated_ts` wins; an empty text removes the draft. */
async function keepDraft(stores: Stores, viewer: Username, channel: ChannelId, draft: Draft): Promise<void> {
  await runTransaction(stores, 'changeDrafts', { users: [viewer] }, async tx => {
    if (!(await touchOwnLists(tx, viewer, 'drafts_rev'))) throw errors.signedOut()
    const place = { channel, thread_id: draft.thread_id }
    if (draft.text !== '' && (await countDrafts(tx, viewer, place)) >= MOST_DRAFTS)
      throw errors.coded(409, 'conflict', `At most ${MOST_DRAFTS} drafts.`)
    return (await putDraft(tx, viewer, { channel, ...draft })) ? undefined : unchanged
  })
}

function draftIn(stores: Stores, body: Body): Draft {
  const { text, thread_id: thread = 0, updated_ts: ts } = body
  if (typeof text !== 'string') throw errors.missing('text')
  if (text.includes('\0') || !text.isWellFormed()) throw errors.invalid('text must be valid text')
  const most = stores.settings.current.max_message_chars
  if (text.length > most && [...text].length > most) throw errors.tooLong('text', most)
  if (typeof thread !== 'number') throw errors.missing('thread_id')
  if (!Number.isSafeInteger(thread) || thread < 0)
    throw errors.invalid('thread_id must be the id of a message, or 0')
  return { text: text.trim() === '' ? '' : text, thread_id: thread, updated_ts: timeIn(stores, ts) }
}

/** A device whose clock is ahead must not win against later writes of others. */
function timeIn({ clock }: Stores, ts: unknown): Seconds {
  if (typeof ts !== 'number') throw errors.missing('updated_ts')
  if (!(ts >= 0 && Number.isFinite(ts))) throw errors.invalid('updated_ts must be a time in seconds')
  return Math.min(ts, clock.now())
}
