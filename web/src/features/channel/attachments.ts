/** Files of the next message, by channel. */
import { imageExtension } from '#shared/domain/uploads.ts'
import { strings } from '../../i18n/i18n.ts'
import { attach, detach } from '../../net/kept-attachments.ts'
import { type Attachment, attachments } from '../../store/attachments.ts'
import type { Channel } from '../../store/channels.ts'
import { config, workspace } from '../../store/store.ts'
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

/** Refuses files that the server would refuse, with the reason. `folders`: names of folders among them. */
export function addFiles(channel: Channel, files: File[], folders: string[] = []) {
  const limits = workspace.peek()?.limits
  const limit = limits?.upload_bytes ?? config.peek().max_file_bytes
  const onlyImages = limits?.file_types === 'images'
  const taken: File[] = []
  const others: string[] = []
  const sentences = folders.length > 0 ? [strings.composer.folders(folders)] : []
  for (const file of files.map(named)) {
    if (folders.includes(file.name)) continue
    if (onlyImages && imageExtension(file.name) === undefined) others.push(file.name)
    else if (file.size > limit) sentences.push(strings.composer.tooLarge(file.name, file.size, limit))
    else taken.push(file)
  }
  if (others.length > 0) sentences.unshift(strings.composer.onlyImages(others))
  if (sentences.length > 0) showToast(sentences.join(' '), { icon: 'alert' })
  if (taken.length === 0) return
  for (const one of attach(channel.id, taken)) if (onlyImages) void removeUnlessPicture(channel, one)
}

/** Pasted or dropped: browsers list folders as files. */
export function addTransferred(channel: Channel, data: DataTransfer) {
  const entries = [...data.items].map(item => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  const folders = entries.flatMap(entry => (entry?.isDirectory ? entry.name : []))
  addFiles(channel, [...data.files], folders)
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
  const data = event.clipboardData
  if (!data?.files.length) return false
  event.preventDefault()
  addTransferred(channel, data)
  return true
}

export function removeAttachment(channel: Channel, one: Attachment) {
  detach(channel.id, [one])
}

/** Removes and returns the files, to be sent. */
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
