import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Username } from '#shared/domain/units.ts'
import { mentionedIn } from '#shared/posting/mentioned.ts'
import {
  checkLength,
  checkMayPost,
  earlierPost,
  earlierPostAfter,
  insertPost,
  type SentMessage,
  type TextPost,
} from '#shared/posting/post.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { isUnavailable } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { enqueueThumbnails } from '../files/enqueue-thumbnails.ts'
import { saveImages } from '../files/save-upload.ts'
import { limitText } from '../middleware/rate-limits.ts'
import { clearTyping } from '../presence/typing.ts'

export interface Draft extends TextPost {
  uploads: { path: string; originalName: string }[]
}

/** Posts a text and its images (interface 4.3, POST /send). */
export async function send(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: Draft,
): Promise<SentMessage> {
  const { text, uploads, clientId } = draft
  checkLength(stores, text)
  const earlier = await earlierPost(stores, sender, clientId)
  if (earlier) return earlier
  if (text === '' && uploads.length === 0) throw errors.empty()
  await checkMayPost(stores, sender, channel)

  const images = await saveImages(stores.files, uploads)
  try {
    if (text === '' && images.length === 0) throw errors.empty()
    const mentioned = await mentionedIn(stores, sender, channel, text)
    await limitText(stores, sender, text, mentioned)
    await clearTyping(stores, sender, channel.id)
    const sent = await insertPost(stores, sender, channel, { ...draft, filenames: images, mentioned })
    enqueueThumbnails(stores, images, sender)
    return sent
  } catch (err) {
    // After a broken connection the outcome is unknown: keep the files; unreferenced ones are swept later.
    if (!isUnavailable(err)) await Promise.all(images.map(name => stores.files.remove(name)))
    return earlierPostAfter(err, stores, sender, clientId)
  }
}
