/** Files of the next message, by the key of its draft: a channel, or a thread. */
import { imageExtension } from '#shared/domain/uploads.ts'
import { strings } from '../../../i18n/i18n.ts'
import { attach, detach } from '../../../net/outbox/kept-attachments.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { tolerate } from '../../../store/device/tolerate.ts'
import type { Pending } from '../../../store/messages/pending.ts'
import { config, panel, workspace } from '../../../store/store.ts'
import { type Attachment, attachments } from '../../../store/writing/attachments.ts'
import { showToast } from '../../../ui/feedback.ts'

const TYPES: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
}

export function attachmentsOf(place: string): Attachment[] {
  return attachments.value.get(place) ?? []
}

/** Files being sent that the composer of a channel or a thread shows. While a thread is open, its own are shown there. */
export const uploadsOf = ({ pending }: Channel, thread: number | undefined): Pending[] =>
  pending.value.filter(
    ({ file, state, thread: of }) =>
      file &&
      (state === 'waiting' || state === 'sending') &&
      (thread === undefined ? of === undefined || panel.value !== 'thread' : of === thread),
  )

/** Refuses files that the server would refuse, with the reason. `folders`: names of folders among them. */
export function addFiles(place: string, files: File[], folders: string[] = []) {
  const limits = workspace.peek()?.limits
  const limit = limits?.upload_bytes ?? config.peek().max_file_bytes
  const onlyImages = limits?.file_types === 'images'
  const taken: File[] = []
  const others: string[] = []
  const sentences = folders.length > 0 ? [strings.composer.folders(folders)] : []
  for (const file of files.map(named)) {
    if (folders.includes(file.name)) continue
    if (onlyImages && !promisesPicture(file)) others.push(file.name)
    else if (file.size > limit) sentences.push(strings.composer.tooLarge(file.name, file.size, limit))
    else taken.push(file)
  }
  if (others.length > 0) sentences.unshift(strings.composer.onlyImages(others))
  if (sentences.length > 0) showToast(sentences.join(' '), { icon: 'alert' })
  if (taken.length === 0) return
  for (const one of attach(place, taken)) if (onlyImages) void removeUnlessPicture(place, one)
}

/** True if a text may be sent as a file. */
export const takesText = () => workspace.value?.limits?.file_types !== 'images'

export function addText(place: string, text: string) {
  addFiles(place, [new File([text], strings.composer.textFile, { type: 'text/plain' })])
}

/** Pasted or dropped: browsers list folders as files. */
export function addTransferred(place: string, data: DataTransfer) {
  const entries = [...data.items].map(item => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  const folders = entries.flatMap(entry => (entry?.isDirectory ? entry.name : []))
  addFiles(place, [...data.files], folders)
}

/** The browser knows the type by the name. */
const promisesPicture = ({ type }: File) => type === '' || type.startsWith('image/')

/** The name says what a file is, its content decides. */
async function removeUnlessPicture(place: string, attached: Attachment) {
  const { key, file, preview } = attached
  const image = new Image()
  image.src = preview
  try {
    await image.decode()
  } catch (error) {
    tolerate(error, DOMException)
    // Sent already, which has revoked the preview.
    if (!attachmentsOf(place).some(one => one.key === key)) return
    removeAttachment(place, attached)
    showToast(strings.composer.notAPicture(file.name), { icon: 'alert' })
  }
}

/** Returns false without files, and for a text that comes with a picture of itself, as cells of a spreadsheet do. */
export function addPasted(place: string, event: ClipboardEvent): boolean {
  const data = event.clipboardData
  if (!data?.files.length || isTextWithPicture(data)) return false
  event.preventDefault()
  addTransferred(place, data)
  return true
}

function isTextWithPicture(data: DataTransfer) {
  const html = data.getData('text/html')
  if (data.getData('text/plain').trim() === '' || html === '') return false
  const content = html.replaceAll(/<!--[\s\S]*?-->|<\/?(?:html|head|body|meta)[^>]*>/gi, '').trim()
  return !/^<img[^>]*>$/i.test(content)
}

export function removeAttachment(place: string, one: Attachment) {
  detach(place, [one])
}

/** Removes and returns the files, to be sent. */
export function takeAttachments(place: string): File[] {
  const taken = attachmentsOf(place)
  if (taken.length > 0) detach(place, taken)
  return taken.map(one => one.file)
}

/** A pasted image may lack a name or an extension. */
function named(file: File): File {
  const extension = TYPES[file.type]
  if (imageExtension(file.name) !== undefined || !extension) return file
  return new File([file], `${file.name || 'image'}${extension}`, { type: file.type })
}
