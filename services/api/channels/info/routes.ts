import { type Request, Router } from 'express'
import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { channelInfo } from '#shared/collections/channel-info.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { LONGEST_CHANNEL_NAME, LONGEST_DESCRIPTION, LONGEST_TOPIC } from '#shared/domain/channel-name.ts'
import type { ChannelInfoPayload, ChannelPersonPayload, Page } from '#shared/domain/payloads.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../../middleware/bodies.ts'
import { bodyOf, choiceIn, flagIn, lineIn, textIn } from '../../middleware/coded-fields.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { cursorText, pageCursor, pageLimit, wordIn, wordsIn } from '../../middleware/paging.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { setArchived } from './archive.ts'
import { type ChannelPatch, changeChannel, type Editor } from './change.ts'
import { setManager } from './managers.ts'
import { channelPeople } from './queries.ts'

/** Interface 10.14. */
export function channelInfoRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use(['/channel_info', '/channel_people'], errorsWithCode)

  routes.get('/channel_info/:channel', async (req, res) => {
    res.json(await infoFor(stores, viewerOf(req), req.params.channel))
  })

  routes.patch('/channel_info/:channel', json, async (req, res) => {
    await changeChannel(stores, editorOf(req), req.params['channel'] as string, patchIn(req))
    res.status(204).end()
  })

  for (const verb of ['archive', 'unarchive'] as const) {
    routes.post(`/channel_info/:channel/${verb}`, async (req, res) => {
      await setArchived(stores, editorOf(req), req.params['channel'] as string, verb === 'archive')
      res.status(204).end()
    })
  }

  routes.put('/channel_info/:channel/managers/:username', async (req, res) => {
    await setManager(stores, editorOf(req), req.params.channel, req.params.username, true)
    res.status(204).end()
  })

  routes.delete('/channel_info/:channel/managers/:username', async (req, res) => {
    await setManager(stores, editorOf(req), req.params.channel, req.params.username, false)
    res.status(204).end()
  })

  routes.get('/channel_people/:channel', async (req, res) => {
    const limit = pageLimit(req.query)
    const filter = {
      q: wordsIn('q', req.query['q']),
      role: wordIn('role', ['manager', 'guest'], req.query['role']),
      after: pageCursor(req.query, v.pipe(v.string(), v.maxLength(64))),
      limit: limit + 1,
    }
    const info = await infoFor(stores, viewerOf(req), req.params.channel)
    const found = await channelPeople(stores.db, info.channel, info.default, info.managers, filter)
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    const items = page.map(({ username_key: _, ...person }) => person)
    res.json({
      items,
      next: last ? cursorText(last.username_key) : null,
    } satisfies Page<ChannelPersonPayload>)
  })

  return routes
}

const editorOf = (req: Request): Editor => ({ name: viewerOf(req), address: req.ip })

/** 404 for a channel that does not exist or that the viewer may not read. */
async function infoFor(stores: Stores, viewer: Username, text: unknown): Promise<ChannelInfoPayload> {
  const channel = await findReadableChannel(stores, viewer, text)
  const info = channel && (await payloadFor(channelInfo, stores, viewer, channel.id))
  if (!info) throw errors.notFound()
  return info
}

function patchIn(req: Request): ChannelPatch {
  const body = bodyOf(req)
  const name = lineIn(body, 'name', LONGEST_CHANNEL_NAME)
  if (name === null) throw errors.missing('name')
  const topic = lineIn(body, 'topic', LONGEST_TOPIC)
  const description = textIn(body, 'description', LONGEST_DESCRIPTION)
  const posting = choiceIn(body, 'posting', ['everyone', 'managers'])
  const isDefault = flagIn(body, 'default')
  const patch: ChannelPatch = {
    ...(name === undefined ? {} : { name }),
    ...(topic === undefined ? {} : { topic }),
    ...(description === undefined ? {} : { description }),
    ...(posting === undefined ? {} : { posting }),
    ...(isDefault === undefined ? {} : { is_default: isDefault }),
  }
  if (Object.keys(patch).length === 0) throw errors.missing('name, topic, description, posting or default')
  return patch
}
