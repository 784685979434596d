/** Interface 2.3: allowed image types by extension, with their format and the content type they are served as. */
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

/** Size in pixels after applying the orientation. */
export interface ImageSize {
  width: number
  height: number
}

/**
 * Returns the stored name of an image, from which clients learn its size and whether it is animated, to reserve space:
 * a version 8 UUID (RFC 9562, 5.8) with width and height in 16 bits each and the animation flag in the first bit after
 * the version. The other 89 bits are those of `uuid`, of version 4, and cannot be guessed.
 */
export function imageName(
  uuid: string,
  { width, height }: ImageSize,
  isAnimated: boolean,
  extension: string,
) {
  const random = uuid.replaceAll('-', '')
  const moves = (Number.parseInt(random[13]!, 16) & 0b0111) | (isAnimated ? 0b1000 : 0)
  return `${hex16(width)}${hex16(height)}${random.slice(8, 12)}8${moves.toString(16)}${random.slice(14)}${extension}`
}

const hex16 = (value: number) => Math.min(Math.max(value, 1), 0xffff).toString(16).padStart(4, '0')

const TELLING_NAME =
  /^([0-9a-f]{4})([0-9a-f]{4})[0-9a-f]{4}8([0-9a-f])[0-9a-f]{2}[89ab][0-9a-f]{15}\.(?:jpg|jpeg|png|gif|webp)$/

/** Returns undefined for older images, whose names lack the size, and for other files. */
export function imageSizeOf(storedName: string): ImageSize | undefined {
  const [, width = '', height = ''] = TELLING_NAME.exec(storedName) ?? []
  const size = { width: Number.parseInt(width, 16), height: Number.parseInt(height, 16) }
  return size.width > 0 && size.height > 0 ? size : undefined
}

/** Reports whether the image is animated; undefined as above. */
export function isAnimated(storedName: string): boolean | undefined {
  const moves = imageSizeOf(storedName) && TELLING_NAME.exec(storedName)?.[3]
  return moves === undefined ? undefined : Number.parseInt(moves, 16) >= 0b1000
}

/** The longer side of a thumbnail, in pixels (interface 4.4). */
export const THUMBNAIL_SIZES = [360, 720] as const
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number]

/** `still`: the first frame of an animated image, for people who prefer no motion. */
export interface ThumbnailKind {
  size: ThumbnailSize
  still: boolean
}

export const THUMBNAIL_KINDS: readonly ThumbnailKind[] = THUMBNAIL_SIZES.flatMap(size => [
  { size, still: false },
  { size, still: true },
])

/** Returns the stored name of a thumbnail, which /files does not accept from clients. */
export function thumbnailName(storedName: string, { size, still }: ThumbnailKind): string {
  return `${storedName}.${size}${still ? '.still' : ''}.webp`
}

const THUMBNAIL_NAME = /^([0-9a-f]{32}\.(?:jpg|jpeg|png|gif|webp))\.(?:360|720)(?:\.still)?\.webp$/

/** Returns the stored name of a thumbnail's image; undefined for other names. */
export const imageOfThumbnail = (name: string): string | undefined => THUMBNAIL_NAME.exec(name)?.[1]

/** Reports by the name whether a thumbnail is needed: an image that fits is its own, unless a still is wanted. */
export function needsThumbnail(storedName: string, { size, still }: ThumbnailKind): boolean {
  const known = imageSizeOf(storedName)
  if (!known) return true
  if (still && isAnimated(storedName)) return true
  return !still && Math.max(known.width, known.height) > size
}

/** Returns the lower-case extension of an allowed image; undefined for anything else. */
export function imageExtension(originalName: string): string | undefined {
  const base = originalName.slice(Math.max(originalName.lastIndexOf('/'), originalName.lastIndexOf('\\')) + 1)
  const dot = base.lastIndexOf('.')
  if (dot < 0) return undefined
  const extension = base.slice(dot).toLowerCase()
  return IMAGES.has(extension) ? extension : undefined
}

/** Returns sharp's name of the format that a file of this extension must have. */
export const imageFormat = (extension: string) => IMAGES.get(extension)?.format

/** Returns the extension of an image of this format, by sharp's name. */
export const extensionOfFormat = (format: string) =>
  [...IMAGES].find(([, image]) => image.format === format)![0]

/** Returns the content type and disposition for an extension (interface 4.4). */
export function servedAs(storedName: string): { type: string; inline: boolean } {
  const image = IMAGES.get(storedName.slice(storedName.lastIndexOf('.')).toLowerCase())
  return image ? { type: image.type, inline: true } : { type: 'application/octet-stream', inline: false }
}

/** Strips the uuid and its separator, 33 characters; images have no original name. */
export function originalName(storedName: string): string {
  return storedName[32] === '_' ? storedName.slice(33) : storedName
}
