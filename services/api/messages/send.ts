import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Username } from '#shared/domain/units.ts'
import { checkPost } from '#shared/posting/check-post.ts'
import type { NewFile } from '#shared/posting/files.ts'
import { type OfProgram, type Posting, post, type TextPost } from '#shared/posting/post.ts'
import { postOnce, type SentMessage } from '#shared/posting/post-once.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
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
  ofProgram?: OfProgram
}

/** Posts a text and its files (interface 4.3, POST /send). */
export async function send(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: Draft,
): Promise<SentMessage> {
  const { clientId, uploads, inParts = [] } = draft
  const hasFiles = uploads.length + inParts.length > 0
  const sent = await postOnce(stores, sender, { clientId, channel: channel.id, hasFiles }, async () => {
    const posting = await prepare(stores, sender, channel, draft, hasFiles)
    const made = await post(stores, sender, channel, posting)
    enqueueThumbnails(
      stores,
      posting.files.filter(isImage).map(({ name }) => name),
      sender,
    )
    return made
  })
  // The message is stored; the janitor removes what a fault leaves here.
  await forgetUploads(stores, sender, inParts).catch(err => log.warn({ err }, 'uploads not removed'))
  return sent
}

/** Checks and limits, then stores the files. */
async function prepare(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  draft: Draft,
  hasFiles: boolean,
): Promise<Posting> {
  const { text, uploads, inParts, isQuiet = false } = draft
  if (inParts && uploads.length + inParts.length > MOST_FILES)
    throw errors.badRequest(`at most ${MOST_FILES} files`)
  const mentioned = await checkPost(stores, sender, channel, { text, hasFiles, isQuiet })
  await limitText(stores, sender, text, mentioned)
  await clearTyping(stores, sender, channel.id)
  const files = await save(stores, sender, draft)
  if (text === '' && files.length === 0) throw errors.empty()
  return { ...draft, files, showsFiles: inParts !== undefined, ofUploads: inParts, mentioned }
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
