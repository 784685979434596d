import { useLayoutEffect, useRef } from 'preact/hooks'
import { closePopover, type Opened, opened } from './Popover.tsx'
import './Popover.css'

export function PopoverHost() {
  const open = opened.value
  return open ? <Popover key={open.label} {...open} /> : null
}

function Popover({ anchor, label, role, render, sheet, at }: Opened) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = box.current!
    const place = () => {
      if (sheet) return
      if (at) putBeside(element, new DOMRect(at.x, at.y))
      else if (!anchor) putInMiddle(element)
      else if (anchor.isConnected) putBeside(element, anchor.getBoundingClientRect())
    }
    place()
    const resized = new ResizeObserver(place)
    resized.observe(element)
    addEventListener('resize', place)
    const first = element.querySelector<HTMLElement>('[data-autofocus], input, button, [tabindex="0"]')
    first?.focus({ preventScroll: true })
    const outside = (event: PointerEvent) => {
      const target = event.target as Node
      if (!element.contains(target) && !anchor?.contains(target)) closePopover(false)
    }
    addEventListener('pointerdown', outside, true)
    return () => {
      resized.disconnect()
      removeEventListener('resize', place)
      removeEventListener('pointerdown', outside, true)
    }
  }, [anchor, sheet, at])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      closePopover()
    } else if (event.key === 'Tab') {
      keepInside(event, box.current!)
    }
  }

  return (
    <section aria-label={label}>
      {sheet && <div class="bottom-sheet-scrim" />}
      {/* biome-ignore lint/a11y: the role is a menu or a dialog, which the linter cannot see */}
      <div
        ref={box}
        class={sheet ? 'bottom-sheet' : 'popover popover-placed'}
        role={role}
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        {render(() => closePopover())}
      </div>
    </section>
  )
}

const EDGE = 8

/** Below if there is room, with `above` the other way round. */
export function putBeside(element: HTMLElement, from: DOMRect, above = false) {
  const { offsetWidth: width, offsetHeight: height } = element
  const fitsBelow = from.bottom + 6 + height <= innerHeight - EDGE
  const fitsAbove = from.top - 6 - height >= EDGE
  const below = above ? !fitsAbove : fitsBelow || !fitsAbove
  const top = below ? from.bottom + 6 : from.top - 6 - height
  const [start, end] = [from.left, from.right - width]
  const isRtl = getComputedStyle(element).direction === 'rtl'
  const left = isRtl ? (end >= EDGE ? end : start) : start + width <= innerWidth - EDGE ? start : end
  element.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - EDGE - height))}px`
  element.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - EDGE - width))}px`
}

function putInMiddle(element: HTMLElement) {
  element.style.top = `${Math.max(EDGE, (innerHeight - element.offsetHeight) / 3)}px`
  element.style.left = `${Math.max(EDGE, (innerWidth - element.offsetWidth) / 2)}px`
}

function keepInside(event: KeyboardEvent, element: HTMLElement) {
  const stops = [
    ...element.querySelectorAll<HTMLElement>('button, input, select, a[href], [tabindex="0"]'),
  ].filter(stop => stop.tabIndex >= 0 && stop.offsetParent !== null)
  const [first, last] = [stops[0], stops.at(-1)]
  if (event.shiftKey ? document.activeElement === first : document.activeElement === last) {
    event.preventDefault()
    ;(event.shiftKey ? last : first)?.focus()
  }
}
