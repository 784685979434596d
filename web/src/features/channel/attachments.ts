/** Images of the next message, by channel. */
import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { imageExtension } from '#shared/domain/uploads.ts'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { config } from '../../store/store.ts'
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
  for (const file of files.map(named)) {
    const limit = config.value.max_file_bytes
    if (imageExtension(file.name) === undefined) showToast(strings.composer.onlyImages, { icon: 'alert' })
    else if (file.size > limit) showToast(strings.composer.tooLarge(file.size, limit), { icon: 'alert' })
    else images.push({ key: ++lastKey, file, preview: URL.createObjectURL(file) })
  }
  if (images.length > 0) set(channel, [...attachmentsOf(channel), ...images])
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
