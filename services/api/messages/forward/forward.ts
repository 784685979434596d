import { readableChannel } from '#shared/access/readable-channel.ts'
import { type ReadableMessage, readableMessage } from '#shared/access/readable-message.ts'
import { forwardedText } from '#shared/domain/forwards.ts'
import type { MessageForward } from '#shared/domain/payloads.ts'
import { idFrom, type Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { detailsOf, forgetFiles, type NewFile, recordFiles } from '#shared/posting/files.ts'
import { mentionedIn } from '#shared/posting/mentioned.ts'
import {
  checkLength,
  checkMayPost,
  earlierPost,
  earlierPostAfter,
  insertPost,
  type SentMessage,
} from '#shared/posting/post.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { isUnavailable } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { enqueueThumbnails } from '../../files/enqueue-thumbnails.ts'
import { isImage } from '../../files/save-upload.ts'
import { limitText } from '../../middleware/rate-limits.ts'
import { copyFile } from './copy-file.ts'

export interface ForwardRequest {
  /** The id of the message. */
  id: unknown
  channel: string
  comment: string
  clientId: string | undefined
}

/**
 * Posts a copy of a message as the person: its text, quoted, and its file. Changes of the source do not concern the copy.
 * The person may not have looked at the channel, so their unread messages stay unread.
 */
export async function forward(
  stores: Stores,
  viewer: Username,
  { id, channel: name, comment, clientId }: ForwardRequest,
  hasRoom: (bytes: number) => Promise<boolean>,
): Promise<SentMessage> {
  const channel = await readableChannel(stores, viewer, name)
  const repeated = { channel: channel.id, path: `/forward/${idFrom(id) ?? 0}` } as const
  const earlier = await earlierPost(stores, viewer, clientId, repeated)
  if (earlier) return earlier
  const source = await forwardable(stores, viewer, id)
  await checkMayPost(stores, viewer, channel)
  checkLength(stores, forwardedText(comment, source.content ?? ''))
  const mentioned = await mentionedIn(stores, viewer, channel, comment)

  const files: NewFile[] = []
  try {
    if (source.filename !== null) files.push(await copyFile(stores, viewer, source.filename, hasRoom))
    const text = forwardedText(comment, source.content || files.map(file => file.originalName).join())
    await limitText(stores, viewer, text, mentioned)
    await recordFiles(stores, viewer, files)
    const sent = await insertPost(stores, viewer, channel, {
      text,
      files: files.map(file => ({ name: file.name, details: detailsOf(file) })),
      forward: referenceTo(source),
      replyTo: undefined,
      clientId,
      mentioned,
      isAway: true,
    })
    enqueueThumbnails(
      stores,
      files.filter(isImage).map(file => file.name),
      viewer,
    )
    return sent
  } catch (err) {
    // After a broken connection the outcome is unknown: keep the file; an unreferenced one is swept later.
    if (!isUnavailable(err)) await forgetFiles(stores, files)
    return earlierPostAfter(err, stores, viewer, clientId, repeated)
  }
}

async function forwardable(stores: Stores, viewer: Username, id: unknown): Promise<ReadableMessage> {
  const source = await readableMessage(stores, viewer, id)
  if (source.deleted === 1 || source.sender === SYSTEM_SENDER)
    throw errors.invalid('a deleted or a system message cannot be forwarded')
  return source
}

const referenceTo = ({ id, channel, sender, ts }: ReadableMessage): MessageForward => ({
  id,
  channel: channel.kind === 'public' ? channel.id : null,
  sender,
  ts,
})
