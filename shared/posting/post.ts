import { personOf } from '#shared/access/person.ts'
import { type ReadableChannel, readableChannel } from '#shared/access/readable-channel.ts'
import type { MessageExtra, MessageForward } from '#shared/domain/payloads/messages.ts'
import type { Username } from '#shared/domain/units.ts'
import { noticeOf, OF_OWN_CHANNELS, type Scope } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { isUnavailable } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkMayPost, checkPost } from './check-post.ts'
import { ordOfReply } from './client-ids.ts'
import { detailsOf, forgetFiles, type NewFile, recordFiles } from './files.ts'
import { insertMessages, type PostRow, type Sent } from './insert-messages.ts'
import { type Mentioned, mentionsOf } from './mentioned.ts'
import { postOnce, type SentMessage } from './post-once.ts'

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
  /** For the `extra` of the text of a program. */
  ofProgram?: OfProgram
  /** Stored files, a row each after the text. */
  files: readonly NewFile[]
  /** The rows tell what their files are (`extra.file`). */
  showsFiles?: boolean
  /** The uploads in parts that the files come from, which count for the quota already. */
  ofUploads?: readonly string[] | undefined
  mentioned: Mentioned
}

/** The keys of `extra` of messages by hooks, commands and the Slack API (interface 19). */
export type OfProgram = Pick<MessageExtra, 'bot' | 'cards' | 'cards_at'>

/** Posts a text as a person. For processes without requests: it counts for no rate limit and leaves typing as it is. */
export function postText(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: TextPost,
): Promise<SentMessage> {
  return postOnce(stores, sender, { clientId: draft.clientId, channel: channel.id }, async () => {
    const mentioned = await checkPost(stores, sender, channel, draft)
    return post(stores, sender, channel, { ...draft, files: [], mentioned, isAway: true })
  })
}

/** Stores a post that `checkPost` has checked, and publishes its notice. Deletes its files if it fails. */
export async function post(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  posting: Posting,
): Promise<SentMessage> {
  try {
    await recordFiles(stores, sender, posting.files, posting.ofUploads)
    const first = await insertRows(stores, sender, channel, posting)
    await publishNotice(stores, noticeOf('send', scopeOf(sender, channel, posting, first)))
    const { isEveryoneIgnored, missed } = posting.mentioned
    return { id: first.id, isEveryoneIgnored, missed }
  } catch (err) {
    // After a broken connection the outcome is unknown: keep the files; unreferenced ones are swept later.
    if (!isUnavailable(err)) await forgetFiles(stores, posting.files)
    throw err
  }
}

/** Returns the first row. */
async function insertRows(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  posting: Posting,
): Promise<Sent> {
  const { text, forward, replyTo, clientId, partOf, mentioned, isAway = false } = posting
  const firstOrd =
    partOf === undefined || replyTo === undefined
      ? undefined
      : await ordOfReply(stores.db, { sender, channel: channel.id, replyTo, clientId: partOf })
  const [first] = await stores.rowLockQueues.run(channel.id, () =>
    insertMessages(stores.db, {
      channel: channel.id,
      sender,
      rows: rowsOf(posting),
      mentions: text === '' ? null : mentioned.mentions,
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
  return first ?? (await refuse(stores, sender, channel))
}

/** The text, then a row per file. */
function rowsOf(posting: Posting): PostRow[] {
  const { text, files, showsFiles, forward, ofProgram, mentioned, isQuiet } = posting
  const { groups } = mentioned
  const quiet = isQuiet ? { quiet: true as const } : {}
  const extra: MessageExtra = {
    ...(groups.length > 0 && { groups }),
    ...(forward && { forward }),
    ...ofProgram,
    ...quiet,
  }
  return [
    ...(text === '' ? [] : [{ content: text, filename: null, extra }]),
    ...files.map(file => ({
      content: '',
      filename: file.name,
      extra: { ...(showsFiles && { file: detailsOf(file) }), ...quiet },
    })),
  ]
}

/** `first`: the first row of the post. */
function scopeOf(
  sender: Username,
  { id: channel }: ReadableChannel,
  { mentioned, isAway }: Posting,
  first: Sent,
): Scope {
  const sidebar = ['sidebar'] as const
  return {
    channel,
    besides: [
      ...mentionsOf(channel, mentioned.mentions, [sender], first),
      // A send without the person may begin a mark.
      ...(first.endsMark || isAway ? [{ collections: sidebar, channel, users: [sender] }] : []),
      ...(first.joins
        ? [
            { collections: OF_OWN_CHANNELS, users: [sender] },
            { collections: ['channel_info'] as const, channel },
          ]
        : []),
      ...(first.opens ? [{ collections: sidebar, channel }] : []),
    ],
  }
}

/** Throws why a send that passed the access check stored nothing: something changed in between. */
async function refuse(stores: Stores, sender: Username, channel: ReadableChannel): Promise<never> {
  const current = await readableChannel(stores, sender, channel.id)
  await checkMayPost(stores, sender, current)
  // A participant was renamed or deleted, or the channel became read-only for others than this manager.
  if (current.id !== channel.id || current.posting !== channel.posting) throw errors.unavailable()
  if (channel.kind === 'dm' && (await personOf(stores.db, sender))?.state === 'active')
    throw errors.unavailable()
  throw channel.privateId === undefined ? errors.signedOut() : errors.forbidden()
}
