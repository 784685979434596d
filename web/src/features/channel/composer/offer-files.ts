/** Files that are chosen, pasted or dropped. The second entry checks and keeps them (`add-files.ts`). */
import { strings } from '../../../i18n/i18n.ts'
import { workspace } from '../../../store/store.ts'
import { composerParts } from './composer-part.ts'

/** `folders`: names of folders among the files. */
export function addFiles(place: string, files: File[], folders: string[] = []) {
  composerParts.use(module => module.addFiles(place, files, folders))
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

/** Removes and returns the files, to be sent. None is attached or shown before the second entry is there. */
export const takeAttachments = (place: string): File[] => composerParts.now?.takeAttachments(place) ?? []
