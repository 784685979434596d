/** Interface 2.3: the images that may be attached, by extension, with what their bytes must be and how they are served. */
const IMAGES = new Map([
  ['.jpg', { format: 'jpeg', type: 'image/jpeg' }],
  ['.jpeg', { format: 'jpeg', type: 'image/jpeg' }],
  ['.png', { format: 'png', type: 'image/png' }],
  ['.gif', { format: 'gif', type: 'image/gif' }],
  ['.webp', { format: 'webp', type: 'image/webp' }],
])

/** `<uuid32hex><ext>` or `<uuid32hex>_<sanitized_original_name>`: checked before any file access. */
const STORED_NAME = /^[0-9a-f]{32}(?:\.(?:jpg|jpeg|png|gif|webp)|_[A-Za-z0-9._-]{1,200})$/

export const isStoredName = (name: string) => STORED_NAME.test(name)

/** The extension of an allowed image, lower case; undefined for anything else. */
export function imageExtension(originalName: string): string | undefined {
  const base = originalName.slice(Math.max(originalName.lastIndexOf('/'), originalName.lastIndexOf('\\')) + 1)
  const dot = base.lastIndexOf('.')
  if (dot < 0) return undefined
  const extension = base.slice(dot).toLowerCase()
  return IMAGES.has(extension) ? extension : undefined
}

/** The name that sharp gives the format which a file of this extension must have. */
export const imageFormat = (extension: string) => IMAGES.get(extension)?.format

/** Type and manner of serving, from the extension (interface 4.4). */
export function servedAs(storedName: string): { type: string; inline: boolean } {
  const image = IMAGES.get(storedName.slice(storedName.lastIndexOf('.')).toLowerCase())
  return image ? { type: image.type, inline: true } : { type: 'application/octet-stream', inline: false }
}

/** The uuid and its separator are 33 characters; images have lost their name. */
export function originalName(storedName: string): string {
  return storedName[32] === '_' ? storedName.slice(33) : storedName
}
