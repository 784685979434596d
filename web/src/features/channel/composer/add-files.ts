/** Adds files to the next message, and takes them from it. */
import { imageExtension } from '#shared/domain/uploads.ts'
import { strings } from '../../../i18n/i18n.ts'
import { attach, detach } from '../../../net/outbox/kept-attachments.ts'
import { tolerate } from '../../../store/device/tolerate.ts'
import { config, workspace } from '../../../store/store.ts'
import type { Attachment } from '../../../store/writing/attachments.ts'
import { showToast } from '../../../ui/feedback.ts'
import { attachmentsOf } from './attachments.ts'

const TYPES: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
}

/** Refuses files that the server would refuse, with the reason. `folders`: names of folders among them. */
export function addFiles(place: string, files: File[], folders: string[]) {
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
