import { readableChannel } from '#shared/access/readable-channel.ts'
import { type ReadableMessage, readableMessage } from '#shared/access/readable-message.ts'
import { forwardedText } from '#shared/domain/forwards.ts'
import type { MessageForward } from '#shared/domain/payloads/messages.ts'
import { idFrom, type Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { checkLength, checkMayPost } from '#shared/posting/check-post.ts'
import { mentionedIn } from '#shared/posting/mentioned.ts'
import { post } from '#shared/posting/post.ts'
import { postOnce, type SentMessage } from '#shared/posting/post-once.ts'
import { errors } from '#shared/runtime/http-errors.ts'
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
  const path = `/forward/${idFrom(id) ?? 0}` as const
  return postOnce(stores, viewer, { clientId, channel: channel.id, path }, async () => {
    const source = await forwardable(stores, viewer, id)
    await checkMayPost(stores, viewer, channel)
    const quoted = forwardedText(comment, source.content ?? '')
    checkLength(stores, quoted)
    const mentioned = await mentionedIn(stores, viewer, channel, comment)
    await limitText(stores, viewer, quoted, mentioned)
    const files = source.filename === null ? [] : [await copyFile(stores, viewer, source.filename, hasRoom)]
    const sent = await post(stores, viewer, channel, {
      text: source.content ? quoted : forwardedText(comment, files.map(file => file.originalName).join()),
      files,
      showsFiles: true,
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
  })
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
