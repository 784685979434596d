import { languageOf } from './code-preview.ts'

/** Media types by extension. HTML, SVG, XML and scripts are plain text, which no browser runs. */
const TYPES = new Map(
  Object.entries({
    'image/jpeg': 'jpg jpeg jpe jfif',
    'image/png': 'png',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/bmp': 'bmp',
    'image/heic': 'heic heif',
    'image/tiff': 'tif tiff',
    'image/x-icon': 'ico',
    'image/vnd.adobe.photoshop': 'psd',
    'video/mp4': 'mp4 m4v',
    'video/webm': 'webm',
    'video/quicktime': 'mov qt',
    'video/x-matroska': 'mkv',
    'video/x-msvideo': 'avi',
    'video/mpeg': 'mpg mpeg',
    'video/x-ms-wmv': 'wmv',
    'video/3gpp': '3gp',
    'audio/mpeg': 'mp3',
    'audio/mp4': 'm4a m4b',
    'audio/ogg': 'ogg oga opus',
    'audio/wav': 'wav',
    'audio/flac': 'flac',
    'audio/aac': 'aac',
    'audio/aiff': 'aif aiff',
    'audio/midi': 'mid midi',
    'audio/x-ms-wma': 'wma',
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/msword': 'doc dot',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.ms-powerpoint': 'ppt pps',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'application/vnd.oasis.opendocument.graphics': 'odg',
    'application/epub+zip': 'epub',
    'application/zip': 'zip',
    'application/gzip': 'gz tgz',
    'application/x-bzip2': 'bz2',
    'application/x-xz': 'xz',
    'application/zstd': 'zst',
    'application/x-7z-compressed': '7z',
    'application/vnd.rar': 'rar',
    'application/x-tar': 'tar',
    'application/json': 'json geojson',
    'font/ttf': 'ttf',
    'font/otf': 'otf',
    'font/woff': 'woff',
    'font/woff2': 'woff2',
    'text/calendar': 'ics',
    'text/csv': 'csv',
    'text/markdown': 'md markdown',
    'text/vcard': 'vcf',
    'text/plain': 'txt text log html htm xhtml svg xml xsl xslt js mjs cjs css eml',
  }).flatMap(([type, extensions]) => extensions.split(' ').map(extension => [extension, type] as const)),
)

export const UNKNOWN_TYPE = 'application/octet-stream'

/** Returns the media type that a file name promises; its content is not known yet. */
export function typeOfName(name: string): string {
  const dot = name.lastIndexOf('.')
  const type = dot < 0 ? undefined : TYPES.get(name.slice(dot + 1).toLowerCase())
  return type ?? (languageOf(name) === undefined ? UNKNOWN_TYPE : 'text/plain')
}

/** True if the name promises a picture of any format, or nothing at all: the content decides. */
export function mayBePicture(name: string): boolean {
  const type = typeOfName(name)
  return type === UNKNOWN_TYPE || kindOfType(type) === 'image'
}

/** Replaces the extension of a picture, or appends one to a name without. */
export function withEnding(name: string, extension: string): string {
  const isNamed = kindOfType(typeOfName(name)) === 'image'
  return (isNamed ? name.slice(0, name.lastIndexOf('.')) : name) + extension
}

/** Kinds of files, as lists of a channel filter them. */
export const FILE_KINDS = ['image', 'video', 'audio', 'pdf', 'text', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export function kindOfType(type: string): FileKind {
  if (type === 'application/pdf') return 'pdf'
  if (type === 'application/json') return 'text'
  const [family] = type.split('/', 1)
  return family === 'image' || family === 'video' || family === 'audio' || family === 'text'
    ? family
    : 'other'
}

/** Types that browsers show in place; every other file is an attachment. QuickTime is served as MP4, if at all. */
const INLINE = new Set(
  `image/jpeg image/png image/gif image/webp application/pdf video/mp4 video/webm video/quicktime
   audio/mpeg audio/mp4 audio/ogg audio/wav audio/flac`.split(/\s+/),
)

export const isInline = (type: string) => INLINE.has(type)

/** Bytes at the beginning of a file that `hasSignature()` reads. */
export const HEAD_BYTES = 512

type Check = (head: Uint8Array) => boolean

const startsWith =
  (...bytes: number[]): Check =>
  head =>
    bytes.every((byte, i) => head[i] === byte)
const has = (text: string, at: number): Check => {
  const bytes = [...text].map(letter => letter.charCodeAt(0))
  return head => bytes.every((byte, i) => head[at + i] === byte)
}
const isIsoMedia = has('ftyp', 4)
const isQuickTime = has('ftypqt  ', 4)

/** Images are confirmed by decoding their header, and so are not here. */
const SIGNATURES = new Map<string, Check>([
  ['application/pdf', has('%PDF-', 0)],
  ['video/mp4', head => isIsoMedia(head) && !isQuickTime(head)],
  ['audio/mp4', head => isIsoMedia(head) && !isQuickTime(head)],
  ['video/quicktime', isQuickTime],
  ['video/webm', head => startsWith(0x1a, 0x45, 0xdf, 0xa3)(head) && latin1(head).includes('webm')],
  ['audio/ogg', has('OggS', 0)],
  ['audio/wav', head => has('RIFF', 0)(head) && has('WAVE', 8)(head)],
  ['audio/flac', has('fLaC', 0)],
  ['audio/mpeg', head => has('ID3', 0)(head) || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)],
])

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, HEAD_BYTES))

/** True if the beginning of a file is that of a type that is shown in place. */
export const hasSignature = (type: string, head: Uint8Array): boolean => SIGNATURES.get(type)?.(head) ?? false

const LONGEST_NAME = 1_000
const LONGEST_STORED = 200
const LONGEST_EXTENSION = 20

/** A file name as it is shown: without folders, and without characters that hide a part of it. */
export function shownFileName(name: string): string {
  const shown = name
    .toWellFormed()
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[\p{Cc}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '')
    .trim()
    // macOS sends letters and their accents apart.
    .normalize('NFC')
    .slice(0, LONGEST_NAME)
    .toWellFormed()
  return /^\.*$/.test(shown) ? 'file' : shown
}

/** `<uuid32hex>_<sanitized_original_name>` (interface 2.3). */
export function storedFileName(uuid: string, originalName: string): string {
  const plain = originalName.replace(/[^A-Za-z0-9._-]/gu, '_')
  const extension = /\.[A-Za-z0-9]+$/.exec(plain)?.[0].slice(0, LONGEST_EXTENSION) ?? ''
  const stem = plain.slice(0, LONGEST_STORED - extension.length)
  return `${uuid.replaceAll('-', '')}_${plain.length > LONGEST_STORED ? stem + extension : plain}`
}
