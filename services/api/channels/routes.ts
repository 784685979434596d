import { Router } from 'express'
import * as v from 'valibot'
import { joinedChannels } from '#shared/access/public-channels.ts'
import { findReadableChannel, readableChannel } from '#shared/access/readable-channel.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { channelUnreads } from '#shared/collections/channel-unreads.ts'
import { type GlobalCollection, payloadFor } from '#shared/collections/collection.ts'
import { dms } from '#shared/collections/dms.ts'
import { mentions } from '#shared/collections/mentions.ts'
import { unreadCount } from '#shared/collections/unread-count.ts'
import type { EventName } from '#shared/domain/payloads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../middleware/bodies.ts'
import { readBody, text } from '../middleware/body-fields.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { sendValidated } from '../middleware/validated.ts'
import { mentionableMembers } from './members.ts'
import { hideDm, otherAccounts } from './queries.ts'
import { runAmongParticipants } from './run-among-participants.ts'

/** Interface 4.2. */
export function channelRoutes(stores: Stores): Router {
  const routes = Router()

  const serve = <Event extends EventName>(path: string, collection: GlobalCollection<Event>) =>
    routes.get(path, async (req, res) => {
      res.json(await payloadFor(collection, stores, viewerOf(req)))
    })
  serve('/channel_unreads', channelUnreads)
  serve('/dms', dms)
  serve('/unread_count', unreadCount)
  serve('/mentions', mentions)

  routes.get('/channels', async (req, res) => {
    res.json(await joinedChannels(stores, viewerOf(req)))
  })

  routes.get('/users', async (req, res) => {
    const viewer = viewerOf(req)
    sendValidated(req, res, await visibleAmong(stores, viewer, await otherAccounts(stores.db, viewer)))
  })

  routes.get('/channel_members/:channel', async (req, res) => {
    const channel = await readableChannel(stores, viewerOf(req), req.params.channel)
    const viewer = viewerOf(req)
    const members = await mentionableMembers(stores, viewer, channel)
    sendValidated(req, res, await visibleAmong(stores, viewer, members))
  })

  routes.post('/dms/close', json, async (req, res) => {
    const viewer = viewerOf(req)
    const channel = await findReadableChannel(stores, viewer, readBody(CLOSE, req.body).channel)
    if (channel?.kind !== 'dm') throw errors.badRequest('channel must be one of your direct messages')
    await runAmongParticipants(stores, 'closeDm', channel.id, { users: [viewer] }, db =>
      hideDm(db, viewer, channel.id),
    )
    res.status(204).end()
  })

  return routes
}

const CLOSE = v.object({ channel: text })
