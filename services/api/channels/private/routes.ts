import * as v from 'valibot'
import { membersOf } from '#shared/access/audience.ts'
import { checkMayChange, privateChannelOf } from '#shared/access/private-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { privateChannels } from '#shared/collections/private-channels.ts'
import { oneLine } from '#shared/domain/one-line.ts'
import {
  ArchivedPrivateChannelPayload,
  CreatedChannelPayload,
  PrivateChannelPayload,
  PrivateMemberPayload,
} from '#shared/domain/payloads/channels.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { addMember } from './add-member.ts'
import { createPrivateChannel } from './create.ts'
import { leave } from './leave.ts'
import { archivedPrivateChannels } from './queries.ts'
import { removeMember } from './remove-member.ts'
import { rename } from './rename.ts'

/** Drops entries that are not text; they cannot be reported as skipped names either. */
const names = v.pipe(
  v.fallback(v.optional(v.array(v.unknown()), []), []),
  v.transform(list => list.filter(name => typeof name === 'string').map(name => name.trim())),
  v.filterItems(name => name !== ''),
)

/** Interface 4.7. */
export const privateChannelEndpoints = [
  endpoint(
    'GET /private_channels',
    {
      summary: 'Lists the private channels of the person.',
      who: 'signed in',
      within: 'list',
      errors: 'text',
      query: f.fields({ archived: f.isOne }),
      answers: {
        200: payload(v.union([v.array(ArchivedPrivateChannelPayload), v.array(PrivateChannelPayload)])),
      },
    },
    async ({ stores, res, viewer, query: { archived } }) => {
      if (archived) res.json(await archivedPrivateChannels(stores.db, viewer))
      else res.json(await payloadFor(privateChannels, stores, viewer))
    },
  ),

  endpoint(
    'POST /private_channels/create',
    {
      summary: 'Makes a private channel.',
      who: 'signed in',
      scope: 'channels',
      limit: [['manage', 60]],
      errors: 'text',
      body: jsonBody(f.fields({ name: f.lenientText, members: names })),
      answers: { 200: payload(CreatedChannelPayload) },
      fails: [400, 403],
    },
    async ({ stores, viewer, body: { name, members } }) =>
      createPrivateChannel(stores, viewer, nameFrom(name), members),
  ),

  endpoint(
    'POST /private_channels/:id/rename',
    {
      summary: 'Renames a private channel.',
      who: 'member',
      within: 'private channel',
      scope: 'channels',
      limit: [['change', 8]],
      errors: 'text',
      body: jsonBody(f.fields({ name: f.lenientText })),
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async call => {
      const { stores, viewer, params } = call
      const channel = await privateChannelOf(stores, viewer, params.id)
      checkMayChange(channel)
      await rename(stores, viewer, channel, nameFrom(call.body.name))
    },
  ),

  endpoint(
    'POST /private_channels/:id/add_member',
    {
      summary: 'Adds a person to a private channel.',
      who: 'member',
      within: 'private channel',
      scope: 'channels',
      limit: [['manage', 4]],
      errors: 'text',
      body: jsonBody(f.fields({ username: f.lenientText })),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async call => {
      const { stores, viewer, params } = call
      const channel = await privateChannelOf(stores, viewer, params.id)
      const username = call.body.username?.trim()
      if (!username) throw errors.usernameRequired()
      checkMayChange(channel)
      await addMember(stores, viewer, channel, username)
    },
  ),

  endpoint(
    'POST /private_channels/:id/remove_member',
    {
      summary: 'Removes a person from a private channel.',
      who: 'member',
      within: 'private channel',
      scope: 'channels',
      limit: [['manage', 4]],
      body: jsonBody(f.fields({ username: f.needed(f.text()) })),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async call => {
      const { stores, viewer, params } = call
      const channel = await privateChannelOf(stores, viewer, params.id, errors.notFound)
      await removeMember(stores, viewer, channel, call.body.username)
    },
  ),

  endpoint(
    'POST /private_channels/:id/leave',
    {
      summary: 'Leaves a private channel.',
      who: 'member',
      within: 'private channel',
      scope: 'channels',
      limit: ['other'],
      errors: 'text',
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, viewer, params }) => {
      const channel = await privateChannelOf(stores, viewer, params.id)
      await leave(stores, viewer, channel)
    },
  ),

  endpoint(
    'GET /private_channels/:id/members',
    {
      summary: 'Lists the members of a private channel.',
      who: 'member',
      within: 'private channel',
      errors: 'text',
      answers: { 200: payload(v.array(PrivateMemberPayload)) },
      fails: [403, 404],
    },
    async ({ stores, viewer, params }) => {
      const { privateId } = await privateChannelOf(stores, viewer, params.id)
      const members = await membersOf(stores.db, privateId)
      return members.map(username => ({ username })) satisfies PrivateMemberPayload[]
    },
  ),
]

/** Interface 4.7. */
const LONGEST_NAME = 80

/** Reduced to one line of visible characters, for lists and system messages. */
function nameFrom(given: string | undefined): string {
  const name = oneLine(given ?? '', Number.POSITIVE_INFINITY)
  if (!name) throw errors.nameRequired()
  if ([...name].length > LONGEST_NAME) throw errors.nameTooLong(LONGEST_NAME)
  return name
}
