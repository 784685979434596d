import type { Page } from 'playwright-core'

/** An element that has the focus. */
export interface Stop {
  name: string
  /** The region or the open layer around it. */
  inside: string
  /** In the viewport, and drawn differently from the same element without the focus. */
  isVisible: boolean
}

/** The element with the focus; undefined for the page itself: the focus is lost. */
export const stopOf = (page: Page) => page.evaluate(readStop) as Promise<Stop | undefined>

/** Presses Tab until the focus comes back to where it was, or leaves the page for the second time. */
export async function stopsOf(page: Page, key = 'Tab', most = 60): Promise<Stop[]> {
  const stops: Stop[] = []
  const seen = new Set<string>()
  for (let at = 0; at < most; at++) {
    await page.keyboard.press(key)
    const stop = await stopOf(page)
    const id = await page.evaluate(markStop)
    if (seen.has(id)) break
    seen.add(id)
    if (stop) stops.push(stop)
  }
  return stops
}

export const hidden = (stops: Stop[]) => stops.filter(({ isVisible }) => !isVisible).map(({ name }) => name)

/** Runs in the page: a number for the element with the focus. */
function markStop() {
  const marks = globalThis as unknown as { stops?: WeakMap<Element, number>; count?: number }
  marks.stops ??= new WeakMap()
  const one = document.activeElement ?? document.body
  if (!marks.stops.has(one)) {
    marks.count = (marks.count ?? 0) + 1
    marks.stops.set(one, marks.count)
  }
  return String(marks.stops.get(one))
}

/** Runs in the page. */
function readStop() {
  const one = document.activeElement
  if (!(one instanceof HTMLElement) || one === document.body) return undefined
  const rings = () => {
    const drawn: string[] = []
    for (let box: Element | null = one; box && box !== document.body; box = box.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow, backgroundColor, borderColor } = getComputedStyle(box)
      drawn.push(
        [outlineStyle === 'none' ? '' : outlineWidth, boxShadow, backgroundColor, borderColor].join(),
      )
    }
    return drawn.join(' / ')
  }
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const isInView = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && right > left
  // Without transitions, the styles of the same element without the focus are known at once.
  const still = new CSSStyleSheet()
  still.replaceSync('* { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets.push(still)
  const withFocus = rings()
  const quiet = (event: Event) => event.stopImmediatePropagation()
  const kinds = ['blur', 'focus', 'focusin', 'focusout']
  for (const kind of kinds) addEventListener(kind, quiet, true)
  one.blur()
  const without = rings()
  one.focus({ preventScroll: true })
  for (const kind of kinds) removeEventListener(kind, quiet, true)
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== still)
  const label = one.ariaLabel ?? one.title
  return {
    name: `${one.tagName.toLowerCase()} ${(label || one.textContent || one.className).trim().slice(0, 40)}`,
    inside:
      one.closest('dialog[open], .popover, [data-region]')?.getAttribute('data-region') ??
      (one.closest('dialog[open]') ? 'dialog' : one.closest('.popover') ? 'popover' : ''),
    isVisible: isInView && withFocus !== without,
  }
}
