import { setTimeout as pause } from 'node:timers/promises'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { detailsOf, forgetFiles, type NewFile, recordFiles } from '#shared/posting/files.ts'
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
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import { isUnavailable } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { clearTyping } from '../channels/typing.ts'
import { enqueueThumbnails } from '../files/enqueue-thumbnails.ts'
import { isImage, saveFiles, saveImages, type Upload } from '../files/save-upload.ts'
import { completeUploads, forgetUploads, removeCopies } from '../files/uploads/complete-uploads.ts'
import { MOST_FILES } from '../middleware/bodies.ts'
import { limitText } from '../middleware/rate-limits.ts'

export interface Draft extends TextPost {
  uploads: Upload[]
  /** With `files=all`: the ids of further uploads, in parts. Every file is kept, and the rows tell what it is. */
  inParts?: string[] | undefined
}

/** Posts a text and its files (interface 4.3, POST /send). */
export async function send(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: Draft,
): Promise<SentMessage> {
  const { inParts = [] } = draft
  checkLength(stores, draft.text)
  const earlier = await earlierPost(stores, sender, draft.clientId, { channel: channel.id })
  const sent = earlier ?? (await sendNew(stores, sender, channel, draft))
  // The message is stored; the janitor removes what a fault leaves here.
  await forgetUploads(stores, sender, inParts).catch(err => log.warn({ err }, 'uploads not removed'))
  return sent
}

/** An attempt that has stored its files has stored its message after this time. */
const EARLIER_ENDS: Milliseconds = 500

async function sendNew(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: Draft,
): Promise<SentMessage> {
  const { text, uploads, clientId, inParts, isQuiet = false } = draft
  const count = uploads.length + (inParts?.length ?? 0)
  if (text === '' && count === 0) throw errors.empty()
  if (inParts && count > MOST_FILES) throw errors.badRequest(`at most ${MOST_FILES} files`)
  await checkMayPost(stores, sender, channel)

  const files: NewFile[] = []
  try {
    files.push(...(await save(stores, sender, draft)))
    if (text === '' && files.length === 0) throw errors.empty()
    const mentioned = await mentionedIn(stores, sender, channel, text, { isQuiet })
    await limitText(stores, sender, text, mentioned)
    await clearTyping(stores, sender, channel.id)
    await recordFiles(stores, sender, files, inParts)
    const posted = files.map(file => ({ name: file.name, details: inParts && detailsOf(file) }))
    const sent = await insertPost(stores, sender, channel, { ...draft, files: posted, mentioned })
    enqueueThumbnails(
      stores,
      files.filter(isImage).map(({ name }) => name),
      sender,
    )
    return sent
  } catch (err) {
    // After a broken connection the outcome is unknown: keep the files; unreferenced ones are swept later.
    if (!isUnavailable(err)) await forgetFiles(stores, files)
    // An earlier attempt may still hold the quota or the uploads that this one lacks.
    if (clientId !== undefined && count > 0 && err instanceof HttpError) await pause(EARLIER_ENDS)
    return earlierPostAfter(err, stores, sender, clientId, { channel: channel.id })
  }
}

async function save(stores: Stores, sender: Username, { uploads, inParts }: Draft): Promise<NewFile[]> {
  if (!inParts) return saveImages(stores.files, uploads)
  const complete = await completeUploads(stores, sender, inParts)
  try {
    const all = [...uploads, ...complete]
    return await saveFiles(stores.files, all, stores.settings.current.file_types === 'images')
  } finally {
    await removeCopies(complete)
  }
}
