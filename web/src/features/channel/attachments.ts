/** Images of the next message, by channel. */
import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { imageExtension } from '#shared/domain/uploads.ts'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { config } from '../../store/store.ts'
import { tolerate } from '../../store/tolerate.ts'
import { showToast } from '../../ui/feedback.ts'

export interface Attachment {
  key: number
  file: File
  preview: string
}

export const attachments = signal<ReadonlyMap<ChannelId, Attachment[]>>(new Map())
let lastKey = 0

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
  const images: Attachment[] = []
  const others: string[] = []
  const tooLarge: string[] = []
  for (const file of files.map(named)) {
    const limit = config.value.max_file_bytes
    if (imageExtension(file.name) === undefined) others.push(file.name)
    else if (file.size > limit) tooLarge.push(strings.composer.tooLarge(file.name, file.size, limit))
    else images.push({ key: ++lastKey, file, preview: URL.createObjectURL(file) })
  }
  const sentences = others.length > 0 ? [strings.composer.onlyImages(others), ...tooLarge] : tooLarge
  if (sentences.length > 0) showToast(sentences.join(' '), { icon: 'alert' })
  if (images.length === 0) return
  set(channel, [...attachmentsOf(channel), ...images])
  for (const image of images) void removeUnlessPicture(channel, image)
}

/** The name says what a file is, its content decides. */
async function removeUnlessPicture(channel: Channel, { key, file, preview }: Attachment) {
  const image = new Image()
  image.src = preview
  try {
    await image.decode()
  } catch (error) {
    tolerate(error, DOMException)
    // Sent already, which has revoked the preview.
    if (!attachmentsOf(channel).some(one => one.key === key)) return
    removeAttachment(channel, key)
    showToast(strings.composer.notAPicture(file.name), { icon: 'alert' })
  }
}

export function addPasted(channel: Channel, event: ClipboardEvent) {
  const files = [...(event.clipboardData?.files ?? [])]
  if (files.length === 0) return
  event.preventDefault()
  addFiles(channel, files)
}

export function removeAttachment(channel: Channel, key: number) {
  const gone = attachmentsOf(channel).find(one => one.key === key)
  if (gone) URL.revokeObjectURL(gone.preview)
  set(
    channel,
    attachmentsOf(channel).filter(one => one.key !== key),
  )
}

/** Removes and returns the images, to be sent. */
export function takeAttachments(channel: Channel): File[] {
  const taken = attachmentsOf(channel)
  for (const one of taken) URL.revokeObjectURL(one.preview)
  set(channel, [])
  return taken.map(one => one.file)
}

/** A pasted image may lack a name or an extension. */
function named(file: File): File {
  const extension = TYPES[file.type]
  if (imageExtension(file.name) !== undefined || !extension) return file
  return new File([file], `${file.name || 'image'}${extension}`, { type: file.type })
}

function set(channel: Channel, list: Attachment[]) {
  const next = new Map(attachments.value)
  if (list.length > 0) next.set(channel.id, list)
  else next.delete(channel.id)
  attachments.value = next
}
