import { once } from 'node:events'
import { type Response, Router } from 'express'
import { findReadableChannel, readableChannel } from '#shared/access/readable-channel.ts'
import { readableMessage } from '#shared/access/readable-message.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import type { MessagePayload, SingleMessagePayload } from '#shared/rules/payloads.ts'
import { isReaction } from '#shared/rules/reactions.ts'
import { afterFrom, idFrom, type Seconds } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { fields, form, imageUploads, textField, uploadsOf } from '../middleware/bodies.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { deleteMessage } from './delete.ts'
import { edit } from './edit.ts'
import { around, aroundTime, changedSince, newestBefore } from './history.ts'
import { toggleReaction } from './react.ts'
import { type SearchFilters, search } from './search.ts'
import { send } from './send.ts'

/** Interface 4.3. */
export function messageRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/messages/:channel', async (req, res) => {
    const viewer = viewerOf(req)
    const channel = await readableChannel(stores, viewer, req.params.channel)
    const limit = limitIn(req.query.limit)
    if (typeof req.query.around === 'string') {
      return void res.json(await around(stores, viewer, channel, req.query.around, limit ?? 50))
    }
    const aroundTs = timeIn(req.query.around_ts)
    if (aroundTs !== undefined) {
      return void res.json(await aroundTime(stores, channel, aroundTs, limit ?? 50))
    }
    if (limit !== undefined) {
      return void res.json(await newestBefore(stores, channel, timeIn(req.query.before) ?? Infinity, limit))
    }
    await streamArray(res, changedSince(stores, viewer, channel, afterFrom(req.query.after)))
  })

  routes.post(
    '/send/:channel',
    async (req, _res, next) => {
      // Asked before the body is read: nobody uploads into a channel that is not theirs.
      await readableChannel(stores, viewerOf(req), req.params['channel'] as string)
      next()
    },
    form,
    imageUploads(stores),
    async (req, res) => {
      const channel = await readableChannel(stores, viewerOf(req), req.params['channel'] as string)
      const id = await send(stores, viewerOf(req), channel, {
        text: (textField(req.body, 'text') ?? '').trimEnd(),
        replyTo: idFrom(textField(req.body, 'reply_to_id')),
        clientId: clientIdIn(textField(req.body, 'client_id')),
        uploads: uploadsOf(req),
      })
      res.set('X-Message-Id', String(id)).type('text/plain').send('ok')
    },
  )

  routes.get('/message/:id', async (req, res) => {
    const { id, sender, content, filename, deleted } = await readableMessage(
      stores,
      viewerOf(req),
      req.params.id,
    )
    res.json({ id, sender, content, filename, deleted } satisfies SingleMessagePayload)
  })

  routes.post('/edit/:id', fields, async (req, res) => {
    await edit(stores, viewerOf(req), req.params.id, (textField(req.body, 'text') ?? '').trim())
    res.type('text/plain').send('ok')
  })

  routes.post('/delete/:id', async (req, res) => {
    await deleteMessage(stores, viewerOf(req), req.params.id)
    res.type('text/plain').send('ok')
  })

  routes.post('/react/:id', fields, async (req, res) => {
    const message = await readableMessage(stores, viewerOf(req), req.params.id)
    const reaction = textField(req.body, 'reaction')
    if (reaction === undefined || !isReaction(reaction)) throw refuse.invalidReaction()
    res.type('application/json').send(await toggleReaction(stores, message, viewerOf(req), reaction))
  })

  routes.get('/search_messages', async (req, res) => {
    const filters: SearchFilters = {
      q: wordsIn(req.query.q),
      from: wordsIn(req.query.from),
      start: timeIn(req.query.start),
      end: timeIn(req.query.end),
      has: hasIn(req.query.has),
      beforeId: idFrom(req.query.before_id),
    }
    const channel = wordsIn(req.query.channel)
    if (channel !== undefined) {
      filters.channel = (await findReadableChannel(stores, viewerOf(req), channel))?.id
      if (filters.channel === undefined) return void res.json([])
    }
    res.json(await search(stores, viewerOf(req), filters))
  })

  return routes
}

/** Writes pages as one JSON array, waiting for the client where it is slower than the database. */
async function streamArray(res: Response, pages: AsyncIterable<MessagePayload[]>) {
  res.type('application/json')
  let separator = '['
  for await (const page of pages) {
    if (page.length === 0) continue
    if (!res.write(separator + JSON.stringify(page).slice(1, -1)) && !res.destroyed) {
      await Promise.race([once(res, 'drain'), once(res, 'close')])
    }
    if (res.destroyed) return
    separator = ','
  }
  res.end(separator === '[' ? '[]' : ']')
}

const MOST_ROWS = 200

function limitIn(value: unknown) {
  const limit = idFrom(value)
  return limit === undefined ? undefined : Math.min(limit, MOST_ROWS)
}

/** Unparsable counts as absent (interface 4.3, search). */
function timeIn(value: unknown): Seconds | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const seconds = Number(value)
  return Number.isFinite(seconds) ? seconds : undefined
}

const LONGEST_WORDS = 500

function wordsIn(value: unknown) {
  if (typeof value !== 'string' || value.trim() === '' || value.includes('\0')) return undefined
  return value.toWellFormed().slice(0, LONGEST_WORDS)
}

const hasIn = (value: unknown) => (['image', 'link', 'file'] as const).find(kind => kind === value)

/** What is no UUID is no id, and the send is a new one. */
function clientIdIn(text: string | undefined) {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : undefined
}
