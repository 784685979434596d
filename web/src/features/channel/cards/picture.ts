/** Layout of an image before any byte of it arrives (ui.md 5.4, Images). Pure. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import {
  type ImageSize,
  imageExtension,
  imageSizeOf,
  isAnimated,
  needsThumbnail,
  THUMBNAIL_SIZES,
} from '#shared/domain/uploads.ts'
import { fileAddress } from '../../../net/requests/endpoints.ts'

export interface Box extends ImageSize {
  /** A strip, or smaller than the box: shown whole, not cropped to fill it. */
  isWhole: boolean
  /** Width of the image in the box, in px. */
  drawn: number
}

const WIDEST = 360
const HIGHEST = 270
/** Smallest touch target. */
const LEAST = 44
const UNKNOWN: ImageSize = { width: 3, height: 2 }
/** Limits of width:height, at which the shorter side is a touch target: longer strips are shown whole in such a box. */
const FLATTEST = WIDEST / LEAST
const TALLEST = LEAST / HIGHEST

/** The box of a single image in a message. */
export function boxOf(size: ImageSize | undefined): Box {
  const known = size ?? { width: UNKNOWN.width * WIDEST, height: UNKNOWN.height * WIDEST }
  const ratio = known.width / known.height
  const boxRatio = Math.min(Math.max(ratio, TALLEST), FLATTEST)
  const width = Math.min(WIDEST, HIGHEST * boxRatio, Math.max(known.width, known.height * boxRatio))
  const box = {
    width: Math.max(Math.round(width), LEAST),
    height: Math.max(Math.round(width / boxRatio), LEAST),
  }
  const isSmall = known.width < box.width || known.height < box.height
  const isWhole = ratio !== boxRatio || isSmall
  const drawn = isWhole ? Math.ceil(Math.min(known.width, box.width, box.height * ratio)) : box.width
  return { ...box, isWhole, drawn }
}

/** Box of an image in a gallery, which the image fills (ui.md 5.4). */
export const TILE: ImageSize = { width: 186, height: 118 }

/** Width of the whole image when it fills that box. */
export function drawnWidth({ width, height }: ImageSize, size: ImageSize | undefined): number {
  return size ? Math.ceil(Math.max(width, (height * size.width) / size.height)) : width
}

export interface Sources {
  src: string
  srcset?: string
}

/** Thumbnails with their true widths; a small image also as itself. */
export function sourcesOf(filename: string, still: boolean): Sources {
  const size = imageSizeOf(filename)
  if (!size) return { src: fileAddress(filename, 720, still) }
  const widths = new Map<string, number>()
  for (const longest of THUMBNAIL_SIZES) {
    const needed = needsThumbnail(filename, { size: longest, still })
    const smaller = Math.min(1, longest / Math.max(size.width, size.height))
    widths.set(
      needed ? fileAddress(filename, longest, still) : fileAddress(filename),
      Math.max(1, Math.round(size.width * (needed ? smaller : 1))),
    )
  }
  const addresses = [...widths.keys()]
  const srcset = [...widths].map(([address, width]) => `${address} ${width}w`).join(', ')
  return addresses.length === 1 ? { src: addresses[0]! } : { src: addresses.at(-1)!, srcset }
}

/** Older names do not tell: GIF and WebP are assumed to be animated. */
export const mayMove = (filename: string) => isAnimated(filename) ?? /\.(gif|webp)$/.test(filename)

/** True for a row with a picture that is shown in place. Rows from before `extra.file` tell it by their name. */
export function isPicture({ filename, extra }: Pick<MessagePayload, 'filename' | 'extra'>): boolean {
  if (extra?.file) return extra.file.width !== undefined
  return filename !== null && imageExtension(filename) !== undefined
}
