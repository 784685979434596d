import * as v from 'valibot'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { SlackMessagePayload, SlackTime } from '#shared/domain/payloads/slack.ts'
import { ChannelId } from '#shared/domain/payloads/values.ts'
import { reactionKey } from '#shared/domain/reactions.ts'
import { uuidFrom } from '#shared/domain/units.ts'
import { checkReaction } from '../files/emoji/check-reaction.ts'
import { deleteMessage } from '../messages/delete.ts'
import { edit } from '../messages/edit.ts'
import { wholeMessage } from '../messages/history.ts'
import { toggleReaction } from '../messages/react.ts'
import { send } from '../messages/send.ts'
import { originForOthers } from '../middleware/origin.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { channelOf, messageOf, rootOf, tsOf } from './lookup.ts'
import { argument, method, type SlackCall } from './method.ts'
import { messageObject } from './objects.ts'
import { timesOf } from './queries.ts'
import { textOf } from './text-of.ts'

/** Keys of the responses about one message. */
const PLACE = { channel: ChannelId, ts: SlackTime }

/** Interface 19.8. */
export const messageMethods = [
  ...method(
    'chat.postMessage',
    {
      scope: 'write',
      limit: ['send'],
      words: { forbidden: 'not_in_channel' },
      answer: { ...PLACE, message: SlackMessagePayload },
    },
    async call => {
      const { stores, viewer, args } = call
      const channel = await channelOf(call)
      const replyTo = await rootOf(call, channel)
      const { text, ofProgram } = await textOf(call)
      const sent = await send(stores, viewer, channel, {
        text,
        ofProgram,
        replyTo,
        clientId: uuidFrom(argument(args, 'client_msg_id')) && argument(args, 'client_msg_id'),
        uploads: [],
      })
      const message = await shown(call, channel, sent.id)
      return { channel: channel.id, ts: message.ts, message }
    },
  ),

  ...method(
    'chat.update',
    {
      scope: 'write',
      limit: ['change'],
      words: { forbidden: 'cant_update_message' },
      answer: { ...PLACE, text: v.string(), message: SlackMessagePayload },
    },
    async call => {
      const { stores, viewer } = call
      const channel = await channelOf(call)
      const { id, ts } = await messageOf(call, channel, 'ts')
      const { text, ofProgram } = await textOf(call)
      await edit(stores, viewer, String(id), text, { ofProgram: { ...ofProgram } })
      return { channel: channel.id, ts: tsOf(ts), text, message: await shown(call, channel, id) }
    },
  ),

  ...method(
    'chat.delete',
    { scope: 'write', limit: ['change'], words: { forbidden: 'cant_delete_message' }, answer: PLACE },
    async call => {
      const channel = await channelOf(call)
      const { id, ts } = await messageOf(call, channel, 'ts')
      await deleteMessage(call.stores, call.viewer, String(id))
      return { channel: channel.id, ts: tsOf(ts) }
    },
  ),

  ...method(
    'chat.getPermalink',
    { scope: 'read', answer: { channel: ChannelId, permalink: v.string() } },
    async call => {
      const channel = await channelOf(call)
      const { id } = await messageOf(call, channel, 'message_ts')
      return { channel: channel.id, permalink: `${originForOthers(call.req, call.config)}/m/${id}` }
    },
  ),

  ...method('reactions.add', REACTION(), call => react(call, true)),
  ...method('reactions.remove', REACTION(), call => react(call, false)),
]

function REACTION() {
  return { scope: 'write', limit: ['change'], words: { 'not found': 'message_not_found' } } as const
}

async function react(call: SlackCall, wanted: boolean) {
  const { stores, viewer, args } = call
  const channel = await channelOf(call)
  const message = await messageOf(call, channel, 'timestamp')
  const name =
    argument(args, 'name')
      ?.replace(/^:|:$/g, '')
      .replace(/::skin-tone-\d$/, '') ?? ''
  const emoji = SLACKS_NAMES.get(name) ?? name
  const { key } = await checkReaction(stores.db, reactionKey(emoji), {
    message: message.id,
    reactor: viewer,
    wanted,
  })
  const { reactions } = await wholeMessage(stores, viewer, String(message.id))
  const present: Record<string, string[]> = reactions === null ? {} : JSON.parse(reactions)
  // An emoji of the workspace may be called like a member of objects.
  const isOwn = Object.hasOwn(present, key) && present[key]!.includes(viewer)
  if (isOwn === wanted) throw new SlackError(wanted ? 'already_reacted' : 'no_reaction')
  await toggleReaction(stores, message, viewer, key, wanted)
  return {}
}

/** Slack's names of emoji that programs react with. */
const SLACKS_NAMES: ReadonlyMap<string, string> = new Map(
  `+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 white_check_mark ✅ heavy_check_mark ✔️ x ❌ tada 🎉 warning ⚠️
   rotating_light 🚨 hourglass_flowing_sand ⏳ no_entry ⛔ no_entry_sign 🚫 exclamation ❗ question ❓ wave 👋
   100 💯 heavy_plus_sign ➕ heavy_minus_sign ➖ arrows_counterclockwise 🔄 construction 🚧 boom 💥 zap ⚡
   large_green_circle 🟢 large_yellow_circle 🟡 red_circle 🔴 large_blue_circle 🔵 robot_face 🤖 joy 😂 smile 😄
   thinking_face 🤔 white_circle ⚪ information_source ℹ️ memo 📝 mag 🔍 speech_balloon 💬 pushpin 📌`
    .trim()
    .split(/\s+/)
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1]!] as const] : [])),
)

/** The message as its sender reads it. */
async function shown(call: SlackCall, { id: channel, historyStart }: ReadableChannel, id: number) {
  const row: MessagePayload = await wholeMessage(call.stores, call.viewer, String(id), { withExtra: true })
  const roots = row.extra?.thread === undefined ? [] : [row.extra.thread]
  const times = await timesOf(call.stores.db, channel, roots, historyStart)
  return messageObject(row, times, originForOthers(call.req, call.config))
}
