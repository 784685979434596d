import { useLayoutEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { moved, zoomed } from './crop.ts'
import { Face } from './Face.tsx'
import { draw } from './picture.ts'
import * as draft from './profile-draft.ts'
import './CropBox.css'

/** Box and circle in px; the circle leaves 14 on each side. */
const BOX = 188
const CIRCLE = 160
const EDGE = (BOX - CIRCLE) / 2 / CIRCLE
/** Share of the visible part moved per arrow key, and with Shift. */
const STEP = 0.02
const LARGE_STEP = 0.1

/** Moves a picture under a circle: drag or arrows to move, plus, minus or wheel to zoom. */
export function CropBox() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const picture = draft.picture.value
  const crop = draft.crop.value
  useLayoutEffect(() => {
    if (canvas.current && picture) draw(canvas.current, picture, crop, EDGE)
  }, [picture, crop])
  if (!picture)
    return (
      <div class="crop-box">
        <Face size={160} />
      </div>
    )

  const move = (right: number, down: number) => {
    draft.crop.value = moved(picture, draft.crop.peek(), right, down)
  }
  const zoomBy = (factor: number) => {
    draft.crop.value = zoomed(picture, draft.crop.peek(), draft.crop.peek().zoom * factor)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LARGE_STEP : STEP
    // Arrows move the picture, as dragging does.
    const acts: Record<string, () => void> = {
      ArrowLeft: () => move(step, 0),
      ArrowRight: () => move(-step, 0),
      ArrowUp: () => move(0, step),
      ArrowDown: () => move(0, -step),
      '+': () => zoomBy(1.1),
      '-': () => zoomBy(1 / 1.1),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const pixels = Math.round(BOX * devicePixelRatio)
  return (
    <div
      class="crop-box is-movable"
      role="application"
      aria-label={`${strings.myProfile.crop}. ${strings.myProfile.cropHint}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application of its own, with keys for all that dragging does
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={event => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          move(-event.movementX / CIRCLE, -event.movementY / CIRCLE)
      }}
      onWheel={event => {
        event.preventDefault()
        zoomBy(event.deltaY < 0 ? 1.08 : 1 / 1.08)
      }}
    >
      <canvas ref={canvas} width={pixels} height={pixels} />
    </div>
  )
}
