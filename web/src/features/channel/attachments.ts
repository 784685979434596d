/** Images of the next message, by channel. */
import { imageExtension } from '#shared/domain/uploads.ts'
import { strings } from '../../i18n/i18n.ts'
import { attach, detach } from '../../net/kept-attachments.ts'
import { type Attachment, attachments } from '../../store/attachments.ts'
import type { Channel } from '../../store/channels.ts'
import { config } from '../../store/store.ts'
import { tolerate } from '../../store/tolerate.ts'
import { showToast } from '../../ui/feedback.ts'

const TYPES: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
}

export function attachmentsOf(channel: Channel): Attachment[] {
  return attachments.value.get(channel.id) ?? []
}

/** Refuses files that the server would drop or refuse, with the reason. */
export function addFiles(channel: Channel, files: File[]) {
  const images: File[] = []
  const others: string[] = []
  const tooLarge: string[] = []
  for (const file of files.map(named)) {
    const limit = config.value.max_file_bytes
    if (imageExtension(file.name) === undefined) others.push(file.name)
    else if (file.size > limit) tooLarge.push(strings.composer.tooLarge(file.name, file.size, limit))
    else images.push(file)
  }
  const sentences = others.length > 0 ? [strings.composer.onlyImages(others), ...tooLarge] : tooLarge
  if (sentences.length > 0) showToast(sentences.join(' '), { icon: 'alert' })
  if (images.length === 0) return
  for (const image of attach(channel.id, images)) void removeUnlessPicture(channel, image)
}

/** The name says what a file is, its content decides. */
async function removeUnlessPicture(channel: Channel, attached: Attachment) {
  const { key, file, preview } = attached
  const image = new Image()
  image.src = preview
  try {
    await image.decode()
  } catch (error) {
    tolerate(error, DOMException)
    // Sent already, which has revoked the preview.
    if (!attachmentsOf(channel).some(one => one.key === key)) return
    removeAttachment(channel, attached)
    showToast(strings.composer.notAPicture(file.name), { icon: 'alert' })
  }
}

/** Returns false without files. */
export function addPasted(channel: Channel, event: ClipboardEvent): boolean {
  const files = [...(event.clipboardData?.files ?? [])]
  if (files.length === 0) return false
  event.preventDefault()
  addFiles(channel, files)
  return true
}

export function removeAttachment(channel: Channel, one: Attachment) {
  detach(channel.id, [one])
}

/** Removes and returns the images, to be sent. */
export function takeAttachments(channel: Channel): File[] {
  const taken = attachmentsOf(channel)
  if (taken.length > 0) detach(channel.id, taken)
  return taken.map(one => one.file)
}

/** A pasted image may lack a name or an extension. */
function named(file: File): File {
  const extension = TYPES[file.type]
  if (imageExtension(file.name) !== undefined || !extension) return file
  return new File([file], `${file.name || 'image'}${extension}`, { type: file.type })
}
