import * as v from 'valibot'
import { joinedChannels } from '#shared/access/public-channels.ts'
import { findReadableChannel, readableChannel } from '#shared/access/readable-channel.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { channelUnreads } from '#shared/collections/channel-unreads.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { dms } from '#shared/collections/dms.ts'
import { mentions } from '#shared/collections/mentions.ts'
import { unreadCount } from '#shared/collections/unread-count.ts'
import { ChannelUnreadsPayload, DmPayload, UnreadCountPayload } from '#shared/domain/payloads/channels.ts'
import { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { sendValidated } from '../middleware/validated.ts'
import { mentionableMembers } from './members.ts'
import { hideDm, otherAccounts } from './queries.ts'
import { runAmongParticipants } from './run-among-participants.ts'

/** Interface 4.2. */
export const channelEndpoints = [
  endpoint(
    'GET /channel_unreads',
    {
      summary: 'Counts the unread messages of each channel.',
      who: 'signed in',
      within: 'list',
      errors: 'text',
      answers: { 200: payload(ChannelUnreadsPayload) },
    },
    ({ stores, viewer }) => payloadFor(channelUnreads, stores, viewer),
  ),

  endpoint(
    'GET /dms',
    {
      summary: 'Lists the open direct messages of the person.',
      who: 'signed in',
      within: 'list',
      errors: 'text',
      answers: { 200: payload(v.array(DmPayload)) },
    },
    ({ stores, viewer }) => payloadFor(dms, stores, viewer),
  ),

  endpoint(
    'GET /unread_count',
    {
      summary: 'Counts all unread messages of the person.',
      who: 'signed in',
      errors: 'text',
      answers: { 200: payload(UnreadCountPayload) },
    },
    ({ stores, viewer }) => payloadFor(unreadCount, stores, viewer),
  ),

  endpoint(
    'GET /mentions',
    {
      summary: 'Lists the unread mentions of the person.',
      who: 'signed in',
      within: 'list',
      errors: 'text',
      answers: { 200: payload(v.array(MentionPayload)) },
    },
    ({ stores, viewer }) => payloadFor(mentions, stores, viewer),
  ),

  endpoint(
    'GET /channels',
    {
      summary: 'Lists the public channels that the person may read.',
      who: 'signed in',
      within: 'list',
      errors: 'text',
      answers: { 200: payload(v.array(v.string())) },
    },
    async ({ stores, viewer }) => joinedChannels(stores, viewer),
  ),

  endpoint(
    'GET /users',
    {
      summary: 'Lists the usernames of the other accounts that the person sees.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'text',
      answers: { 200: payload(v.array(v.string())), 304: nothing },
    },
    async ({ stores, req, res, viewer }) => {
      sendValidated(req, res, await visibleAmong(stores, viewer, await otherAccounts(stores.db, viewer)))
    },
  ),

  endpoint(
    'GET /channel_members/:channel',
    {
      summary: 'Lists the usernames of the members of a channel.',
      who: 'member',
      errors: 'text',
      answers: { 200: payload(v.array(v.string())), 304: nothing },
      fails: [400, 403],
    },
    async ({ stores, req, res, viewer, params }) => {
      const channel = await readableChannel(stores, viewer, params.channel)
      const members = await mentionableMembers(stores, viewer, channel)
      sendValidated(req, res, await visibleAmong(stores, viewer, members))
    },
  ),

  endpoint(
    'POST /dms/close',
    {
      summary: 'Closes a direct message in the sidebar of the person.',
      who: 'signed in',
      limit: ['other'],
      errors: 'text',
      body: jsonBody(f.fields({ channel: f.lenientText })),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, viewer, body }) => {
      const channel = await findReadableChannel(stores, viewer, body.channel)
      if (channel?.kind !== 'dm') throw errors.badRequest('channel must be one of your direct messages')
      await runAmongParticipants(stores, 'closeDm', channel.id, { users: [viewer] }, db =>
        hideDm(db, viewer, channel.id),
      )
    },
  ),
]
