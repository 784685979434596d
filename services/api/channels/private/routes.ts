import { Router } from 'express'
import * as v from 'valibot'
import { membersOf } from '#shared/access/audience.ts'
import { checkMayChange, privateChannelOf } from '#shared/access/private-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { privateChannels } from '#shared/collections/private-channels.ts'
import { oneLine } from '#shared/domain/one-line.ts'
import type { PrivateMemberPayload } from '#shared/domain/payloads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../../middleware/bodies.ts'
import { readBody, text } from '../../middleware/body-fields.ts'
import { bodyOf, textIn } from '../../middleware/coded-fields.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { addMember } from './add-member.ts'
import { createPrivateChannel } from './create.ts'
import { leave } from './leave.ts'
import { archivedPrivateChannels } from './queries.ts'
import { removeMember } from './remove-member.ts'
import { rename } from './rename.ts'

/** Interface 4.7. */
export function privateChannelRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/private_channels', async (req, res) => {
    const viewer = viewerOf(req)
    if (req.query['archived'] === '1') res.json(await archivedPrivateChannels(stores.db, viewer))
    else res.json(await payloadFor(privateChannels, stores, viewer))
  })

  routes.post('/private_channels/create', json, async (req, res) => {
    const { name, members } = readBody(CREATE, req.body)
    res.json(await createPrivateChannel(stores, viewerOf(req), nameFrom(name), members))
  })

  routes.post('/private_channels/:id/rename', json, async (req, res) => {
    const channel = await privateChannelOf(stores, viewerOf(req), req.params['id'])
    checkMayChange(channel)
    await rename(stores, viewerOf(req), channel, nameFrom(readBody(RENAME, req.body).name))
    res.status(204).end()
  })

  routes.post('/private_channels/:id/add_member', json, async (req, res) => {
    const channel = await privateChannelOf(stores, viewerOf(req), req.params['id'])
    const username = readBody(ADD_MEMBER, req.body).username?.trim()
    if (!username) throw errors.usernameRequired()
    checkMayChange(channel)
    await addMember(stores, viewerOf(req), channel, username)
    res.status(204).end()
  })

  routes.post('/private_channels/:id/remove_member', errorsWithCode, json, async (req, res) => {
    const channel = await privateChannelOf(stores, viewerOf(req), req.params['id'], errors.notFound)
    const name = textIn(bodyOf(req), 'username')
    if (name === undefined || name === null) throw errors.missing('username')
    await removeMember(stores, viewerOf(req), channel, name)
    res.status(204).end()
  })

  routes.post('/private_channels/:id/leave', async (req, res) => {
    const channel = await privateChannelOf(stores, viewerOf(req), req.params.id)
    await leave(stores, viewerOf(req), channel)
    res.status(204).end()
  })

  routes.get('/private_channels/:id/members', async (req, res) => {
    const { privateId } = await privateChannelOf(stores, viewerOf(req), req.params.id)
    const members = await membersOf(stores.db, privateId)
    res.json(members.map(username => ({ username })) satisfies PrivateMemberPayload[])
  })

  return routes
}

/** Drops entries that are not text; they cannot be reported as skipped names either. */
const names = v.pipe(
  v.fallback(v.optional(v.array(v.unknown()), []), []),
  v.transform(list => list.filter(name => typeof name === 'string').map(name => name.trim())),
  v.filterItems(name => name !== ''),
)

const CREATE = v.object({ name: text, members: names })
const RENAME = v.object({ name: text })
const ADD_MEMBER = v.object({ username: text })

/** Decisions, Private channels. */
const LONGEST_NAME = 80

/** Reduced to one line of visible characters, for lists and system messages. */
function nameFrom(given: string | undefined): string {
  const name = oneLine(given ?? '', Number.POSITIVE_INFINITY)
  if (!name) throw errors.nameRequired()
  if ([...name].length > LONGEST_NAME) throw errors.nameTooLong(LONGEST_NAME)
  return name
}
