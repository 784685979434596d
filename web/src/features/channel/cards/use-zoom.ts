import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { moveBy, WHOLE, type Zoom, zoomBy, zoomToRead } from './zoom.ts'

/** Share of the frame that an arrow key moves the image. */
const STRIDE = 0.2
const SWIPE = 60
const WHEEL_SLOWNESS = 400

interface Options {
  /** A swipe over the whole image: 1 for the next, -1 for the previous. */
  onSwipe: (towards: 1 | -1) => void
}

/** Zooms and moves an image by wheel, double click, pinch, drag and keys. */
export function useZoom({ onSwipe }: Options) {
  const [zoom, zoomTo] = useState<Zoom>(WHOLE)
  const frame = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const swipe = useRef<{ x: number; y: number } | undefined>(undefined)
  // Several events may arrive before the next render.
  const now = useRef(zoom)
  now.current = zoom

  const change = (next: (zoom: Zoom, image: DOMSize, frame: DOMSize) => Zoom) => {
    const [shown, around] = [image.current, frame.current]
    if (!shown || !around) return
    now.current = next(
      now.current,
      { width: shown.offsetWidth, height: shown.offsetHeight },
      { width: around.clientWidth, height: around.clientHeight },
    )
    zoomTo(now.current)
  }
  const fromMiddle = (point: { clientX: number; clientY: number }) => {
    const box = frame.current!.getBoundingClientRect()
    return { x: point.clientX - box.x - box.width / 2, y: point.clientY - box.y - box.height / 2 }
  }
  const zoomAt = (factor: number, at: { x: number; y: number }) =>
    change((before, ...sizes) => zoomBy(before, factor, at, ...sizes))
  const drag = (x: number, y: number) => change((before, ...sizes) => moveBy(before, { x, y }, ...sizes))

  useFrame(frame, {
    onWheel: event => zoomAt(wheelFactor(event), fromMiddle(event)),
    // A smaller frame may leave the image beyond its edge.
    onResize: () => drag(0, 0),
  })

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    frame.current!.setPointerCapture(event.pointerId)
    const mayswipe = event.pointerType === 'touch' && fingers.current.size === 1 && now.current.scale === 1
    swipe.current = mayswipe ? { x: event.clientX, y: event.clientY } : undefined
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const after = { x: event.clientX, y: event.clientY }
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, after)
    if (other) {
      const grown = distance(after, other) / Math.max(distance(before, other), 1)
      zoomAt(grown, fromMiddle({ clientX: (after.x + other.x) / 2, clientY: (after.y + other.y) / 2 }))
      // Each finger moves the image by half of its own distance.
      drag((after.x - before.x) / 2, (after.y - before.y) / 2)
    } else drag(after.x - before.x, after.y - before.y)
  }
  const onPointerEnd = (event: PointerEvent) => {
    if (!fingers.current.delete(event.pointerId)) return
    const from = swipe.current
    swipe.current = undefined
    if (!from || event.type === 'pointercancel') return
    const [x, y] = [event.clientX - from.x, event.clientY - from.y]
    if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) {
      const isRtl = getComputedStyle(frame.current!).direction === 'rtl'
      onSwipe(x < 0 !== isRtl ? 1 : -1)
    }
  }

  return {
    zoom,
    frame,
    image,
    zoomTo,
    /** Zooms around the middle. */
    step: (factor: number) => zoomAt(factor, { x: 0, y: 0 }),
    move: (x: number, y: number) => {
      const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {}
      drag(x * clientWidth * STRIDE, y * clientHeight * STRIDE)
    },
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: onPointerEnd,
      onPointerCancel: onPointerEnd,
      onDblClick: (event: MouseEvent) =>
        now.current.scale > 1
          ? zoomTo(WHOLE)
          : change((_, ...sizes) => zoomToRead(fromMiddle(event), ...sizes)),
    },
  }
}

interface DOMSize {
  width: number
  height: number
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) =>
  Math.hypot(a.x - b.x, a.y - b.y)

const wheelFactor = ({ deltaY, deltaMode }: WheelEvent) =>
  Math.exp((-deltaY * (deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1)) / WHEEL_SLOWNESS)

interface FrameListeners {
  onWheel: (event: WheelEvent) => void
  onResize: () => void
}

/** Listens from the first render on; the listeners of that render stay. */
function useFrame(frame: RefObject<HTMLDivElement | null>, { onWheel, onResize }: FrameListeners) {
  useEffect(() => {
    const element = frame.current!
    // A passive listener could not prevent the page from scrolling or zooming.
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      onWheel(event)
    }
    element.addEventListener('wheel', wheel, { passive: false })
    const resized = new ResizeObserver(onResize)
    resized.observe(element)
    return () => {
      element.removeEventListener('wheel', wheel)
      resized.disconnect()
    }
  }, [])
}
