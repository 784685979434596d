import { personOf } from '#shared/access/person.ts'
import {
  checkPosting,
  findReadableChannel,
  type ReadableChannel,
  readableChannel,
} from '#shared/access/readable-channel.ts'
import { visibleText } from '#shared/domain/one-line.ts'
import type { MessageExtra, MessageFile, MessageForward } from '#shared/domain/payloads.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { noticeOf, OF_OWN_CHANNELS } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { runStatement } from '#shared/notices/write.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { isUnavailable } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import {
  type EarlierSend,
  forgetClientId,
  messageOfClientId,
  ordOfReply,
  type PathOfPost,
} from './client-ids.ts'
import { insertMessages, type PostRow, type Sent } from './insert-messages.ts'
import { type Mentioned, mentionedIn, mentionsOf } from './mentioned.ts'
import { channelExists, participantsNamed } from './people-named.ts'

export interface TextPost {
  text: string
  replyTo: number | undefined
  /** A post with the id of an earlier one returns that one. */
  clientId: string | undefined
  /** The client id of an earlier reply of the sender, of which these rows are a part. */
  partOf?: string | undefined
  /** Counts as unread, and notifies nobody. */
  isQuiet?: boolean
}

export interface Posting extends TextPost {
  /** Sent without the person: their unread messages stay unread. */
  isAway?: boolean
  /** For `extra.forward` of the text. */
  forward?: MessageForward
  /** Stored files, a row each after the text. */
  files: readonly PostedFile[]
  mentioned: Mentioned
}

export interface PostedFile {
  /** In the file store. */
  name: string
  /** For `extra.file`. */
  details?: MessageFile | undefined
}

export interface SentMessage {
  /** The id of the first row. */
  id: number
  isEveryoneIgnored: boolean
  missed: Mentioned['missed']
}

/** Posts a text as a person. For processes without requests: it counts for no rate limit and leaves typing as it is. */
export async function postText(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  post: TextPost,
): Promise<SentMessage> {
  checkLength(stores, post.text)
  const earlier = await earlierPost(stores, sender, post.clientId, { channel: channel.id })
  if (earlier) return earlier
  if (visibleText(post.text) === '') throw errors.empty()
  await checkMayPost(stores, sender, channel)
  try {
    const mentioned = await mentionedIn(stores, sender, channel, post.text)
    return await insertPost(stores, sender, channel, { ...post, files: [], mentioned, isAway: true })
  } catch (err) {
    return earlierPostAfter(err, stores, sender, post.clientId, { channel: channel.id })
  }
}

/** Parts of a request that its repetition repeats. */
interface Repeated {
  channel: ChannelId
  /** Default: `/send`. */
  path?: PathOfPost
}

/**
 * The post that an earlier request with this client id made. Publishes its notice again, which may have been lost. Throws
 * 409 if the id belongs to a request to another path or channel.
 */
export async function earlierPost(
  stores: Stores,
  sender: Username,
  clientId: string | undefined,
  repeated: Repeated,
): Promise<SentMessage | undefined> {
  if (clientId === undefined) return undefined
  const earlier = await messageOfClientId(stores.db, sender, clientId)
  if (earlier?.isForgotten) await forgetClientId(stores.db, sender, clientId)
  else if (earlier) return sentBefore(stores, sender, earlier, repeated)
  return undefined
}

/** The same after a failure, because an earlier attempt may have succeeded meanwhile; throws the error if none has. */
export async function earlierPostAfter(
  err: unknown,
  stores: Stores,
  sender: Username,
  clientId: string | undefined,
  repeated: Repeated,
): Promise<SentMessage> {
  if (clientId === undefined || isUnavailable(err)) throw err
  const earlier = await messageOfClientId(stores.db, sender, clientId)
  if (!earlier) throw err
  return sentBefore(stores, sender, earlier, repeated)
}

async function sentBefore(
  stores: Stores,
  sender: Username,
  { id, channel, mentions, followers, path }: EarlierSend,
  repeated: Repeated,
): Promise<SentMessage> {
  if (
    path !== (repeated.path ?? '/send') ||
    !(await isSameChannel(stores, sender, channel, repeated.channel))
  )
    throw errors.clientIdUsed()
  if (channel !== null) {
    const mentioned: string[] = mentions === null ? [] : JSON.parse(mentions)
    await publishNotice(
      stores,
      noticeOf('send', { channel, besides: mentionsOf(channel, mentioned, [sender], { id, followers }) }),
    )
  }
  return { id, isEveryoneIgnored: false, missed: [] }
}

/** `stored`: null for a message that is gone. A DM may have another id since the request found it. */
async function isSameChannel(
  stores: Stores,
  sender: Username,
  stored: ChannelId | null,
  channel: ChannelId,
): Promise<boolean> {
  if (stored === null || stored === channel) return true
  return (await findReadableChannel(stores, sender, channel))?.id === stored
}

/** Throws if the sender may not post in a channel that they can read. `insertPost` checks again. */
export async function checkMayPost(stores: Stores, sender: Username, channel: ReadableChannel) {
  checkPosting(channel)
  await checkParticipants(stores, sender, channel)
}

/** Inserts the rows of a post and publishes the notice. */
export async function insertPost(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  { text, files, forward, replyTo, clientId, partOf, mentioned, isAway = false, isQuiet = false }: Posting,
): Promise<SentMessage> {
  const { mentions, groups, isEveryoneIgnored, missed } = mentioned
  const rows: PostRow[] = files.map(({ name, details }) => ({
    content: '',
    filename: name,
    extra: { ...(details && { file: details }), ...(isQuiet && { quiet: true }) },
  }))
  const extra: MessageExtra = {
    ...(groups.length > 0 && { groups }),
    ...(forward && { forward }),
    ...(isQuiet && { quiet: true }),
  }
  if (text !== '') rows.unshift({ content: text, filename: null, extra })

  const scope = ([first]: Sent[]) => ({
    channel: channel.id,
    besides: [
      ...mentionsOf(channel.id, mentions, [sender], first!),
      // A send without the person may begin a mark.
      ...(first!.endsMark || isAway
        ? [{ collections: ['sidebar'] as const, channel: channel.id, users: [sender] }]
        : []),
      ...(first!.joins ? joined(sender, channel.id) : []),
      ...(first!.opens ? [{ collections: ['sidebar'] as const, channel: channel.id }] : []),
    ],
  })
  const firstOrd =
    partOf === undefined || replyTo === undefined
      ? undefined
      : await ordOfReply(stores.db, { sender, channel: channel.id, replyTo, clientId: partOf })
  const posted = await runStatement(stores, 'send', scope, async db => {
    const rowsPut = await stores.rowLockQueues.run(channel.id, () =>
      insertMessages(db, {
        channel: channel.id,
        sender,
        rows,
        mentions: text === '' ? null : mentions,
        replyTo,
        memberOf: channel.privateId,
        isGuest: channel.role === 'guest',
        posting: channel.posting,
        isConfigured:
          channel.kind === 'public' ? stores.settings.current.channels.includes(channel.id) : undefined,
        clientId,
        path: forward ? `/forward/${forward.id}` : '/send',
        firstOrd,
        participants: channel.participants,
        isAway,
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
    await checkMayPost(stores, sender, current)
    // A participant was renamed or deleted, or the channel became read-only for others than this manager.
    if (current.id !== channel.id || current.posting !== channel.posting) return errors.unavailable()
    if (channel.kind === 'dm' && (await personOf(stores.db, sender))?.state === 'active')
      return errors.unavailable()
    return channel.privateId === undefined ? errors.signedOut() : errors.forbidden()
  } catch (err) {
    if (err instanceof HttpError) return err
    throw err
  }
}

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
  if (await channelExists(stores.db, channel.id)) return
  // Renamed since the channel was found.
  const renamed = await personOf(stores.db, missing)
  if (renamed && renamed.username !== missing) throw errors.unavailable()
  throw errors.noAccount(missing)
}
