import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { channelInfo } from '#shared/collections/channel-info.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { dms } from '#shared/collections/dms.ts'
import { privateChannels } from '#shared/collections/private-channels.ts'
import { dmId, MOST_PARTICIPANTS } from '#shared/domain/channel-id.ts'
import { SlackChannelPayload, SlackCursorPayload } from '#shared/domain/payloads/slack.ts'
import { ChannelId } from '#shared/domain/payloads/values.ts'
import { publicChannelPage } from '../channels/public/page.ts'
import { cursorText } from '../middleware/paging.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { channelOf, personSeen } from './lookup.ts'
import { argument, cursorIn, flagIn, limitIn, method, type SlackCall } from './method.ts'
import { channelObject, detailsObject } from './objects.ts'

const MOST_CHANNELS = 1_000

/** Public channels come first, in the order of their names, then the others by id. */
const PLACE = v.union([
  v.strictTuple([
    v.literal('public'),
    v.strictTuple([v.pipe(v.number(), v.finite()), v.string(), v.string()]),
  ]),
  v.strictTuple([v.literal('own'), v.string()]),
])
type Place = v.InferOutput<typeof PLACE>

type Channel = ReturnType<typeof channelObject>

const LIST = { channels: v.array(SlackChannelPayload), response_metadata: SlackCursorPayload }
const OPENED = { channel: v.strictObject({ id: ChannelId }) }

/** Interface 19.8. */
export const channelMethods = [
  ...method('conversations.list', { scope: 'read', answer: LIST }, async call => {
    const { channels, next } = await listOf(call)
    return {
      channels: channels.filter(({ id }) => call.mayReach(id)),
      response_metadata: { next_cursor: next ? cursorText(next) : '' },
    }
  }),

  ...method('conversations.info', { scope: 'read', answer: { channel: SlackChannelPayload } }, async call => {
    const { id, kind, participants, role } = await channelOf(call)
    const info = await payloadFor(channelInfo, call.stores, call.viewer, id)
    if (!info) throw new SlackError('channel_not_found')
    const others = participants.filter(name => name !== call.viewer)
    const channel = {
      ...channelObject(id, kind, others.length),
      ...detailsObject(info),
      ...(kind === 'dm' && { user: others[0] ?? call.viewer }),
      is_member: kind !== 'public' || role !== null,
    }
    return { channel }
  }),

  ...method('conversations.open', { scope: 'read', within: 'nowhere', answer: OPENED }, async call => {
    const { stores, viewer, args } = call
    const users = argument(args, 'users')
    if (users === undefined) return { channel: { id: (await channelOf(call)).id } }
    const names = users.split(',').map(name => name.trim())
    if (names.length >= MOST_PARTICIPANTS) throw new SlackError('too_many_users')
    const people = await Promise.all(names.map(name => personSeen(stores, viewer, name)))
    if (people.includes(undefined)) throw new SlackError('user_not_found')
    const id = dmId([viewer, ...(people as string[])])
    const channel = await findReadableChannel(stores, viewer, id)
    if (!channel) throw new SlackError('channel_not_found')
    return { channel: { id: channel.id } }
  }),
]

async function listOf(call: SlackCall): Promise<{ channels: Channel[]; next: Place | undefined }> {
  const limit = limitIn(call.args, 100, MOST_CHANNELS)
  const types = (argument(call.args, 'types') ?? 'public_channel').split(',').map(type => type.trim())
  if (!types.every(type => TYPES.includes(type))) throw new SlackError('invalid_types')
  const place = cursorIn(call.args, PLACE)
  const open: Channel[] = []
  if (types.includes('public_channel') && place?.[0] !== 'own') {
    const { page, last } = await publicChannelPage(call.stores, call.viewer, {
      q: undefined,
      withArchived: !flagIn(call.args, 'exclude_archived'),
      sort: 'name',
      after: place?.[1],
      limit,
    })
    for (const one of page)
      open.push({
        ...channelObject(one.channel, 'public'),
        // Guests do not see everybody who made one; conversations.info tells them whom they see.
        ...detailsObject({ ...one, created_by: null }),
        is_member: one.joined,
      })
    if (last) return { channels: open, next: ['public', last.place] }
  }
  const after = place?.[0] === 'own' ? place[1] : ''
  const own = (await ownChannels(call, types)).filter(({ id }) => id > after)
  const rest = own.slice(0, limit - open.length)
  const next: Place | undefined = own.length > rest.length ? ['own', rest.at(-1)?.id ?? after] : undefined
  return { channels: [...open, ...rest], next }
}

const TYPES = ['public_channel', 'private_channel', 'mpim', 'im']

/** Private channels and DMs of these types, by id. */
async function ownChannels({ stores, viewer }: SlackCall, types: readonly string[]): Promise<Channel[]> {
  const list: Channel[] = []
  if (types.includes('private_channel'))
    for (const { channel, name } of await payloadFor(privateChannels, stores, viewer))
      list.push({ ...channelObject(channel, 'private'), ...{ name, name_normalized: name } })
  if (types.includes('im') || types.includes('mpim'))
    for (const { channel, users } of await payloadFor(dms, stores, viewer))
      if (types.includes(users.length > 1 ? 'mpim' : 'im'))
        list.push({ ...channelObject(channel, 'dm', users.length), ...{ user: users[0] ?? viewer } })
  return list.sort((a, b) => (a.id < b.id ? -1 : 1))
}
