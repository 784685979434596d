/** Decodes a chosen file and exports the selected square. */
import { tolerate } from '../../store/device/tolerate.ts'
import { type Crop, squareOf } from './crop.ts'

const SIDE = 128
const QUALITY = 0.88
/** Limit of the shorter side: saves memory, and exceeds the exported size even at the largest zoom. */
const LARGEST_SIDE = 1_024

/** Returns the picture with its EXIF orientation applied; undefined if the browser cannot decode it. */
export async function pictureIn(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    const whole = await createImageBitmap(file)
    const scale = LARGEST_SIDE / Math.min(whole.width, whole.height)
    if (scale >= 1) return whole
    const smaller = await createImageBitmap(whole, {
      resizeWidth: Math.round(whole.width * scale),
      resizeHeight: Math.round(whole.height * scale),
      resizeQuality: 'high',
    })
    whole.close()
    return smaller
  } catch (error) {
    tolerate(error, DOMException)
    return undefined
  }
}

/** Fills the canvas with the square, extended on each side by `edge` times its size. */
export function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop, edge = 0) {
  const { x, y, side } = squareOf(picture, crop)
  const pen = canvas.getContext('2d')!
  const scale = canvas.width / (side * (1 + 2 * edge))
  pen.imageSmoothingQuality = 'high'
  // JPEG has no transparency.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(
    picture,
    (edge * side - x) * scale,
    (edge * side - y) * scale,
    picture.width * scale,
    picture.height * scale,
  )
}

/** 128 × 128, as the interface requires. */
export async function exported(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  draw(canvas, picture, crop)
  const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', QUALITY))
  if (!blob) throw new DOMException('the picture could not be written', 'EncodingError')
  return blob
}
