import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const STOPS = 'a[href], button'

/**
 * A single tab stop for a region, arrow keys inside (ui.md 7). The content changes by itself, so tab indexes are set on
 * the elements and updated on every mutation.
 */
export function useOneStop(region: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const box = region.current!
    let last: Element | undefined
    let frame = 0
    const stops = () => [...box.querySelectorAll<HTMLElement>(STOPS)].filter(isShown)
    const set = () => {
      frame = 0
      const all = stops()
      const stop = all.find(one => one === last) ?? all.find(one => one.ariaCurrent === 'page') ?? all[0]
      for (const one of box.querySelectorAll<HTMLElement>(STOPS)) {
        const index = one === stop ? 0 : -1
        if (one.tabIndex !== index) one.tabIndex = index
      }
    }
    // Deferred to the next frame, which computes styles anyway.
    const setSoon = () => {
      frame ||= requestAnimationFrame(set)
    }
    const onFocus = (event: FocusEvent) => {
      last = (event.target as Element).closest(STOPS) ?? undefined
      set()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const all = stops()
      const to = target(event.key, all, all.indexOf(document.activeElement as HTMLElement))
      if (!to) return
      event.preventDefault()
      to.focus()
    }
    const changed = new MutationObserver(setSoon)
    changed.observe(box, { childList: true, subtree: true, attributeFilter: ['aria-current', 'href'] })
    box.addEventListener('focusin', onFocus)
    box.addEventListener('keydown', onKey)
    setSoon()
    return () => {
      cancelAnimationFrame(frame)
      changed.disconnect()
      box.removeEventListener('focusin', onFocus)
      box.removeEventListener('keydown', onKey)
    }
  }, [])
}

const isShown = (one: HTMLElement) => one.checkVisibility?.() ?? one.getClientRects().length > 0

/** Up and down move between lines, left and right within a line. */
function target(key: string, all: HTMLElement[], at: number): HTMLElement | undefined {
  if (at < 0) return undefined
  const here = all[at]!
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  if (key === 'ArrowDown') return all.slice(at).find(one => isBelow(one, here)) ?? here
  if (key === 'ArrowUp')
    return (
      firstOfLine(
        all,
        all.slice(0, at).findLast(one => isBelow(here, one)),
      ) ?? here
    )
  const isRtl = getComputedStyle(here).direction === 'rtl'
  const step = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[key]
  const beside = step === undefined ? undefined : all[at + step]
  return beside && !isBelow(beside, here) && !isBelow(here, beside) ? beside : undefined
}

const isBelow = (one: Element, other: Element) =>
  one.getBoundingClientRect().top >= other.getBoundingClientRect().bottom - 2

function firstOfLine(all: HTMLElement[], found: HTMLElement | undefined) {
  return found && all.find(one => one === found || (!isBelow(one, found) && !isBelow(found, one)))
}
