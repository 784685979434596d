import { checkPosting, type ReadableChannel, readableChannel } from '#shared/access/readable-channel.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { noticeOf, OF_OWN_CHANNELS } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { runStatement } from '#shared/notices/write.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { isDuplicate, isUnavailable } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { enqueueThumbnails } from '../files/enqueue-thumbnails.ts'
import { saveImages } from '../files/save-upload.ts'
import { limitText } from '../middleware/rate-limits.ts'
import { clearTyping } from '../presence/typing.ts'
import { type Mentioned, mentionedIn, mentionScope } from './mentioned.ts'
import {
  channelExists,
  type EarlierSend,
  forgetClientId,
  insertMessages,
  messageOfClientId,
  participantsNamed,
  type Sent,
} from './queries.ts'

export interface Draft {
  text: string
  replyTo: number | undefined
  clientId: string | undefined
  uploads: { path: string; originalName: string }[]
}

export interface SentMessage {
  /** The id of the first row. */
  id: number
  isEveryoneIgnored: boolean
  missed: Mentioned['missed']
}

/** Posts a text and its images (interface 4.3, POST /send). */
export async function send(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: Draft,
): Promise<SentMessage> {
  checkLength(stores, draft.text)
  if (draft.clientId !== undefined) {
    const earlier = await messageOfClientId(stores.db, sender, draft.clientId)
    if (earlier?.isForgotten) await forgetClientId(stores.db, sender, draft.clientId)
    else if (earlier) return sentBefore(stores, sender, earlier)
  }
  if (draft.text === '' && draft.uploads.length === 0) throw errors.empty()
  checkPosting(channel)
  await checkParticipants(stores, sender, channel)

  const images = await saveImages(stores.files, draft.uploads)
  try {
    if (draft.text === '' && images.length === 0) throw errors.empty()
    const sent = await sendRows(stores, sender, channel, draft, images)
    enqueueThumbnails(stores, images, sender)
    return sent
  } catch (err) {
    // After a broken connection the outcome is unknown: keep the files; unreferenced ones are swept later.
    if (!isUnavailable(err)) await Promise.all(images.map(name => stores.files.remove(name)))
    if (draft.clientId === undefined || !isDuplicate(err, 'client_ids_pkey')) throw err
    // The same send reached another process first.
    return sentBefore(stores, sender, (await messageOfClientId(stores.db, sender, draft.clientId))!)
  }
}

/** Publishes the notice again: the first request may have lost it. */
async function sentBefore(
  stores: Stores,
  sender: Username,
  { id, channel, mentions, parentSender }: EarlierSend,
): Promise<SentMessage> {
  if (channel !== null) {
    const name = WRITE_OF_KIND[parseChannelId(channel)?.kind ?? 'public']
    const mentioned: string[] = mentions === null ? [] : JSON.parse(mentions)
    await publishNotice(
      stores,
      noticeOf(name, { channel, ...mentionScope(mentioned, [sender], [parentSender]) }),
    )
  }
  return { id, isEveryoneIgnored: false, missed: [] }
}

async function sendRows(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: Draft,
  images: string[],
): Promise<SentMessage> {
  const mentioned = await mentionedIn(stores, sender, channel, draft.text)
  const { mentions, groups, isEveryoneIgnored, missed } = mentioned
  await limitText(stores, sender, draft.text, mentioned)
  const rows = images.map(filename => ({ content: '' as string | null, filename: filename as string | null }))
  if (draft.text !== '') rows.unshift({ content: draft.text, filename: null })

  await clearTyping(stores, sender, channel.id)
  const scope = ([first]: Sent[]) => ({
    channel: channel.id,
    ...mentionScope(mentions, [sender], [first!.parentSender]),
    ...(first!.endsMark ? { sidebarOf: [sender] } : {}),
    ...(first!.joins ? { besides: joined(sender, channel.id) } : {}),
    ...(first!.opens
      ? { besides: [{ collections: ['sidebar'] as const, users: channel.participants }] }
      : {}),
  })
  const posted = await runStatement(stores, WRITE_OF_KIND[channel.kind], scope, async db => {
    const rowsPut = await stores.rowLockQueues.run(channel.id, () =>
      insertMessages(db, {
        channel: channel.id,
        sender,
        rows,
        mentions: draft.text === '' ? null : mentions,
        groups,
        replyTo: draft.replyTo,
        memberOf: channel.privateId,
        isGuest: channel.role === 'guest',
        posting: channel.posting,
        isConfigured:
          channel.kind === 'public' ? stores.settings.current.channels.includes(channel.id) : undefined,
        clientId: draft.clientId,
        participants: channel.participants,
      }),
    )
    if (rowsPut.length === 0) throw await refusal(stores, sender, channel)
    return rowsPut
  })
  return { id: posted[0]!.id, isEveryoneIgnored, missed }
}

const joined = (sender: Username, channel: ChannelId) => [
  { collections: OF_OWN_CHANNELS, users: [sender] },
  { collections: ['channel_info'] as const, channel },
]

/** The reason why a send that passed the access check stored nothing: something changed in between. */
async function refusal(stores: Stores, sender: Username, channel: ReadableChannel): Promise<HttpError> {
  try {
    const current = await readableChannel(stores, sender, channel.id)
    checkPosting(current)
    // A participant was renamed, or the channel became read-only for others than this manager.
    if (current.id !== channel.id || current.posting !== channel.posting) return errors.unavailable()
    return channel.privateId === undefined ? errors.signedOut() : errors.forbidden()
  } catch (err) {
    if (err instanceof HttpError) return err
    throw err
  }
}

const WRITE_OF_KIND = { public: 'sendPublic', dm: 'sendDm', private: 'sendPrivate' } as const

export function checkLength(stores: Stores, text: string) {
  const most = stores.settings.current.max_message_chars
  // A character has at most two UTF-16 units, so most texts need no counting.
  if (text.length > most && [...text].length > most) throw errors.messageTooLong(most)
}

/** A DM requires existing accounts (decisions, DM ids), and somebody else who can read it. */
async function checkParticipants(stores: Stores, sender: Username, channel: ReadableChannel) {
  if (channel.kind !== 'dm') return
  // DMs from bothy are read-only.
  if (channel.participants.includes(SYSTEM_SENDER)) throw errors.noAccount(SYSTEM_SENDER)
  const existing = await participantsNamed(
    stores.db,
    channel.participants.map(name => name.toLowerCase()),
  )
  const others = existing.filter(({ username }) => username !== sender)
  if (others.length > 0 && !others.some(({ isActive }) => isActive)) throw errors.forbidden()
  const missing = channel.participants.find(name => !existing.some(({ username }) => username === name))
  if (missing === undefined) return
  if (!(await channelExists(stores.db, channel.id))) throw errors.noAccount(missing)
}
