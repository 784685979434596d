/** Scale of an image and its offset from the middle. Pure. */
export interface Zoom {
  scale: number
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

interface Point {
  x: number
  y: number
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }
export const MOST = 8
const DOUBLE = 2.5

/** Scale at which a strip, such as a long screenshot, fills the frame. */
const filling = (image: Size, frame: Size) => Math.max(frame.width / image.width, frame.height / image.height)

/** Zooms by a factor around `at`, relative to the middle of the frame. */
export function zoomBy(zoom: Zoom, factor: number, at: Point, image: Size, frame: Size): Zoom {
  const most = Math.max(MOST, filling(image, frame))
  const scale = Math.min(Math.max(zoom.scale * factor, 1), most)
  const grown = scale / zoom.scale
  const moved = { scale, x: at.x - (at.x - zoom.x) * grown, y: at.y - (at.y - zoom.y) * grown }
  return within(moved, image, frame)
}

/** Zooms in by a double click. */
export const zoomToRead = (at: Point, image: Size, frame: Size): Zoom =>
  zoomBy(WHOLE, Math.max(DOUBLE, filling(image, frame)), at, image, frame)

export function moveBy(zoom: Zoom, by: Point, image: Size, frame: Size): Zoom {
  return within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, image, frame)
}

/** Clamps to the image's edges; one that fits is centred. `image` is its size at scale 1. */
function within({ scale, x, y }: Zoom, image: Size, frame: Size): Zoom {
  const most = {
    x: Math.max(0, (image.width * scale - frame.width) / 2),
    y: Math.max(0, (image.height * scale - frame.height) / 2),
  }
  return { scale, x: clamp(x, most.x), y: clamp(y, most.y) }
}

// Adding zero turns -0 into 0.
const clamp = (value: number, most: number) => Math.min(Math.max(value, -most), most) + 0
