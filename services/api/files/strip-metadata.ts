import { crc32 } from 'node:zlib'
import type { FoundImage } from '#shared/runtime/images.ts'

/**
 * Returns the image without its metadata: location, device, author, uncropped preview (interface 4.4).
 * Decodes and encodes nothing: copies the parts that a decoder needs and colour profiles, drops everything else,
 * including data after the end, and writes the orientation back alone. Undefined if the file is malformed.
 */
export function withoutMetadata(bytes: Buffer, found: Found): Buffer | undefined {
  const kept = new Kept(bytes)
  try {
    WALKS[found.format]?.(bytes, kept, found)
  } catch (err) {
    // Lengths that point beyond the end, and the like.
    if (err instanceof RangeError || err instanceof Misbuilt) return undefined
    throw err
  }
  return kept.isWhole ? kept.toBuffer() : undefined
}

type Found = Omit<FoundImage, 'frames' | 'held'>
type Walk = (bytes: Buffer, kept: Kept, found: Found) => void

const WALKS: Readonly<Record<string, Walk>> = { jpeg: walkJpeg, png: walkPng, webp: walkWebp, gif: walkGif }

class Misbuilt extends Error {}

/** More parts than any real file has. */
const MOST_PIECES = 50_000

/** The kept parts in order; adjacent ones are merged, so that many tiny parts cost no more than one. */
class Kept {
  readonly #bytes: Buffer
  readonly #pieces: Buffer[] = []
  #start = 0
  #end = 0
  isWhole = false

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  copy(start: number, end: number) {
    if (end > this.#bytes.length) throw new Misbuilt()
    if (start !== this.#end) {
      this.#cut()
      this.#start = start
    }
    this.#end = end
  }

  add(piece: Buffer) {
    this.#cut()
    this.#pieces.push(piece)
  }

  get length() {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, this.#end - this.#start)
  }

  toBuffer() {
    this.#cut()
    return Buffer.concat(this.#pieces)
  }

  #cut() {
    if (this.#end > this.#start) this.#pieces.push(this.#bytes.subarray(this.#start, this.#end))
    if (this.#pieces.length > MOST_PIECES) throw new Misbuilt()
    this.#start = this.#end
  }
}

/** A TIFF with a single entry, the orientation. */
function exifWith(orientation: number): Buffer {
  const tiff = Buffer.from('49492a00080000000100120103000100000000000000' + '00000000', 'hex')
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}

const isTurned = (orientation: number) => orientation > 1 && orientation <= 8

// JPEG: ITU-T T.81, annex B.

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
/** TEM and RSTn have no length. */
const standsAlone = (marker: number) => marker === 0x01 || isRestart(marker)
const JFIF_LENGTH = 16

function walkJpeg(bytes: Buffer, kept: Kept, { orientation }: Found) {
  if (bytes.readUInt16BE(0) !== 0xff00 + SOI) throw new Misbuilt()
  kept.copy(0, 2)
  let exif = isTurned(orientation) ? exifSegment(orientation) : undefined
  const turn = () => {
    if (exif) kept.add(exif)
    exif = undefined
  }
  let hasScan = false
  for (let at = 2; ; ) {
    at = nextMarker(bytes, at)
    if (at >= bytes.length) break
    const marker = bytes[at + 1]!
    if (marker === EOI) break
    if (marker === SOI) throw new Misbuilt()
    if (standsAlone(marker)) {
      at += 2
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) throw new Misbuilt()
    const end = at + 2 + length
    if (isJfif(bytes, at)) {
      keepJfif(bytes, kept, at)
    } else if (isNeeded(bytes, at)) {
      turn()
      kept.copy(at, end)
    }
    at = end
    if (marker !== SOS) continue
    hasScan = true
    at = endOfScan(bytes, end)
    kept.copy(end, at)
  }
  // Many programs show a picture without its end marker; add it.
  kept.add(Buffer.from([0xff, EOI]))
  kept.isWhole = hasScan
}

/** Skips stray bytes between segments and the 0xff bytes that may precede a marker. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] !== 0xff && bytes[at + 1] !== 0) return at
  }
  return bytes.length
}

/** Scan data ends at the next marker; 0xff00 is an escaped byte, and restarts belong to the scan. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1]!
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

/** Tables, frames and scans; of the application segments, colour profiles and Adobe's colour transform. */
function isNeeded(bytes: Buffer, at: number): boolean {
  const marker = bytes[at + 1]!
  if (marker === 0xe2) return says(bytes, at + 4, 'ICC_PROFILE\0')
  if (marker === 0xee) return says(bytes, at + 4, 'Adobe')
  return marker >= 0xc0 && marker <= 0xdf
}

const isJfif = (bytes: Buffer, at: number) => bytes[at + 1] === 0xe0 && says(bytes, at + 4, 'JFIF\0')

/** Drops the embedded thumbnail, which may show what was cropped. */
function keepJfif(bytes: Buffer, kept: Kept, at: number) {
  if (bytes.readUInt16BE(at + 2) < JFIF_LENGTH) return
  const segment = Buffer.from(bytes.subarray(at, at + 2 + JFIF_LENGTH))
  segment.writeUInt16BE(JFIF_LENGTH, 2)
  segment.writeUInt16BE(0, JFIF_LENGTH)
  kept.add(segment)
}

function exifSegment(orientation: number): Buffer {
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifWith(orientation)])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

// PNG: W3C PNG, third edition, section 11; with the chunks of animations.

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'
const PNG_NEEDED = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT ' + 'acTL fcTL fdAT'
  ).split(' '),
)

function walkPng(bytes: Buffer, kept: Kept, { orientation }: Found) {
  if (!says(bytes, 0, PNG_SIGNATURE)) throw new Misbuilt()
  kept.copy(0, PNG_SIGNATURE.length)
  for (let at = PNG_SIGNATURE.length; ; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new Misbuilt()
    if ((type === 'IHDR') !== (at === PNG_SIGNATURE.length)) throw new Misbuilt()
    if (PNG_NEEDED.has(type)) kept.copy(at, end)
    if (type === 'IHDR' && isTurned(orientation)) kept.add(pngChunk('eXIf', exifWith(orientation)))
    if (type === 'IEND') break
    at = end
  }
  kept.isWhole = true
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

// WebP: RFC 9649, section 2.

const WEBP_NEEDED = new Set(['ICCP', 'ANIM', 'VP8 ', 'VP8L', 'ALPH'])
const RIFF_HEAD = 12
const HAS_EXIF = 0x08
const HAS_XMP = 0x04

function walkWebp(bytes: Buffer, kept: Kept, { orientation }: Found) {
  if (!says(bytes, 0, 'RIFF') || !says(bytes, 8, 'WEBP')) throw new Misbuilt()
  const head = Buffer.from(bytes.subarray(0, RIFF_HEAD))
  kept.add(head)
  const fileEnd = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  let isExtended = false
  for (const chunk of riffChunks(bytes, RIFF_HEAD, fileEnd)) {
    if (chunk.type === 'VP8X') {
      isExtended = true
      kept.add(extendedHeader(bytes.subarray(chunk.start, chunk.end), isTurned(orientation)))
    } else if (chunk.type === 'ANMF') keepFrame(bytes, kept, chunk)
    else if (WEBP_NEEDED.has(chunk.type)) keepRiffChunk(bytes, kept, chunk)
  }
  if (isExtended && isTurned(orientation)) kept.add(riffChunk('EXIF', exifWith(orientation)))
  kept.isWhole = kept.length > RIFF_HEAD
  head.writeUInt32LE(kept.length - 8, 4)
}

interface RiffChunk {
  type: string
  start: number
  end: number
}

function* riffChunks(bytes: Buffer, from: number, to: number): Generator<RiffChunk> {
  for (let at = from; at + 8 <= to; ) {
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > to) throw new Misbuilt()
    yield { type: bytes.toString('latin1', at, at + 4), start: at, end }
    at = end + (length % 2)
  }
}

/** Chunks are aligned to two bytes; the last one of a file may lack its padding. */
function keepRiffChunk(bytes: Buffer, kept: Kept, { start, end }: RiffChunk) {
  if ((end - start) % 2 === 0) return kept.copy(start, end)
  if (end < bytes.length && bytes[end] === 0) return kept.copy(start, end + 1)
  kept.copy(start, end)
  kept.add(Buffer.alloc(1))
}

function extendedHeader(chunk: Buffer, hasExif: boolean): Buffer {
  if (chunk.length < 18) throw new Misbuilt()
  const header = Buffer.from(chunk.subarray(0, 18))
  header.writeUInt32LE(10, 4)
  header[8] = (header[8]! & ~(HAS_EXIF | HAS_XMP)) | (hasExif ? HAS_EXIF : 0)
  return header
}

const FRAME_HEAD = 16

/** A frame contains chunks again, possibly unknown ones. */
function keepFrame(bytes: Buffer, kept: Kept, { start, end }: RiffChunk) {
  if (end - start < 8 + FRAME_HEAD) throw new Misbuilt()
  const body = start + 8 + FRAME_HEAD
  const head = Buffer.from(bytes.subarray(start, body))
  const frame = new Kept(bytes)
  for (const chunk of riffChunks(bytes, body, end)) {
    if (WEBP_NEEDED.has(chunk.type)) keepRiffChunk(bytes, frame, chunk)
  }
  const data = frame.toBuffer()
  head.writeUInt32LE(FRAME_HEAD + data.length, 4)
  kept.add(head)
  kept.add(data)
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

// GIF: 89a, sections 15 to 27.

/** Loop count and colour profile; all other application extensions are metadata. */
const GIF_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])
const GIF_HEAD = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const APPLICATION = 0xff
const COMMENT = 0xfe

function walkGif(bytes: Buffer, kept: Kept, { width, height }: Found) {
  if (!says(bytes, 0, 'GIF8')) throw new Misbuilt()
  let at = GIF_HEAD + tableLength(bytes.readUInt8(GIF_HEAD - 3))
  const head = Buffer.from(bytes.subarray(0, GIF_HEAD))
  // Some files declare a screen larger than all their frames. Our decoder uses the frames, browsers use the screen,
  // whose size was not checked.
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  kept.add(head)
  kept.copy(GIF_HEAD, at)
  for (;;) {
    const introducer = bytes[at]
    if (introducer === IMAGE) {
      const end = endOfBlocks(bytes, at + 11 + tableLength(bytes.readUInt8(at + 9)))
      kept.copy(at, end)
      kept.isWhole = true
      at = end
    } else if (introducer === EXTENSION) {
      const end = endOfBlocks(bytes, at + 2)
      if (!saysSomethingBeside(bytes, at)) kept.copy(at, end)
      at = end
    } else {
      // The trailer; without it, programs show the frames so far.
      break
    }
  }
  kept.add(Buffer.from([TRAILER]))
}

function saysSomethingBeside(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1]
  if (label === COMMENT) return true
  return label === APPLICATION && !GIF_APPLICATIONS.has(bytes.toString('latin1', at + 3, at + 14))
}

/** The top bit marks a colour table, the lowest three encode its length. */
const tableLength = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const length = bytes.readUInt8(at)
    at += length + 1
    if (length === 0) return at
  }
}

const says = (bytes: Buffer, at: number, text: string) =>
  bytes.toString('latin1', at, at + text.length) === text
