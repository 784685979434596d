/** The square of a picture to be cut out. Pure; in pixels of the picture. */
export interface Size {
  width: number
  height: number
}

/** `zoom` 1 shows the largest square that fits. */
export interface Crop {
  centerX: number
  centerY: number
  zoom: number
}

export const LARGEST_ZOOM = 4

export function wholeOf({ width, height }: Size): Crop {
  return { centerX: width / 2, centerY: height / 2, zoom: 1 }
}

export function squareOf(size: Size, { centerX, centerY, zoom }: Crop) {
  const side = Math.min(size.width, size.height) / zoom
  return { x: centerX - side / 2, y: centerY - side / 2, side }
}

/** Moves by shares of the square, so that a dragged point follows the finger. The square never leaves the picture. */
export function moved(size: Size, crop: Crop, right: number, down: number): Crop {
  const { side } = squareOf(size, crop)
  return within(size, { ...crop, centerX: crop.centerX + right * side, centerY: crop.centerY + down * side })
}

export function zoomed(size: Size, crop: Crop, zoom: number): Crop {
  return within(size, { ...crop, zoom: between(1, zoom, LARGEST_ZOOM) })
}

function within(size: Size, crop: Crop): Crop {
  const half = squareOf(size, crop).side / 2
  return {
    ...crop,
    centerX: between(half, crop.centerX, size.width - half),
    centerY: between(half, crop.centerY, size.height - half),
  }
}

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most)
