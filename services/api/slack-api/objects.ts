import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { MessageCard, MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { PersonPayload } from '#shared/domain/payloads/people.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { tsOf } from './lookup.ts'

/** Objects in the form of Slack's Web API. */

/** `times`: those of the roots of threads that the reader may see, by id. */
export function messageObject(row: MessagePayload, times: ReadonlyMap<number, Seconds>, origin: string) {
  const { id, sender, content, ts, extra, edited_ts, reactions } = row
  const root = extra?.thread === undefined ? undefined : times.get(extra.thread)
  const { replies, bot, cards, cards_at } = extra ?? {}
  return {
    type: 'message',
    ...(row.content_type === 'system' && { subtype: 'system' }),
    ...(bot && { subtype: 'bot_message', bot_id: sender, username: bot.name ?? sender }),
    user: sender,
    text: cards && cards_at !== undefined ? (content ?? '').slice(0, cards_at).trimEnd() : (content ?? ''),
    ts: tsOf(ts),
    client_msg_id: String(id),
    ...(root !== undefined && { thread_ts: tsOf(root) }),
    ...(replies &&
      replies.count > 0 && {
        thread_ts: tsOf(ts),
        reply_count: replies.count,
        latest_reply: tsOf(replies.last_ts),
      }),
    ...(edited_ts !== null && { edited: { user: sender, ts: tsOf(edited_ts) } }),
    ...(reactions !== null && { reactions: reactionObjects(reactions) }),
    ...(row.filename !== null && { files: [fileObject(row, origin)] }),
    ...(cards && { attachments: cards.map(attachmentObject) }),
  }
}

function reactionObjects(json: string) {
  const reactions = JSON.parse(json) as Record<string, string[]>
  return Object.entries(reactions).map(([name, users]) => ({ name, users, count: users.length }))
}

function fileObject({ filename, extra }: MessagePayload, origin: string) {
  const { name = filename, size, type } = extra?.file ?? {}
  return { id: filename, name, title: name, mimetype: type, size, url_private: `${origin}/files/${filename}` }
}

const attachmentObject = ({ author, author_url, url, image, ...card }: MessageCard) => ({
  ...card,
  author_name: author,
  author_link: author_url,
  title_link: url,
  image_url: image,
})

export function userObject({ username, display_name, title, role, kind, active, timezone }: PersonPayload) {
  return {
    id: username,
    name: username,
    real_name: display_name ?? username,
    deleted: !active,
    is_bot: kind === 'bot',
    is_owner: role === 'owner',
    is_admin: role === 'owner' || role === 'admin',
    is_restricted: role === 'guest',
    ...(timezone !== null && { tz: timezone }),
    profile: { real_name: display_name ?? username, display_name: display_name ?? '', title: title ?? '' },
  }
}

/** The keys that all kinds of channels have. */
export function channelObject(id: string, kind: ReadableChannel['kind'], people = 0) {
  return {
    id,
    is_channel: kind === 'public',
    is_group: kind === 'private',
    is_im: kind === 'dm' && people <= 1,
    is_mpim: kind === 'dm' && people > 1,
    is_private: kind !== 'public',
    is_archived: false,
    is_member: true,
  }
}

type Details = Pick<
  ChannelInfoPayload,
  'name' | 'topic' | 'description' | 'archived' | 'created_by' | 'created_ts' | 'members'
>

export function detailsObject(details: Details) {
  const { name, topic, description, archived, created_by, created_ts, members } = details
  return {
    ...(name !== null && { name, name_normalized: name }),
    topic: { value: topic ?? '' },
    purpose: { value: description ?? '' },
    is_archived: archived,
    num_members: members,
    ...(created_by !== null && { creator: created_by }),
    created: Math.floor(created_ts ?? 0),
  }
}
