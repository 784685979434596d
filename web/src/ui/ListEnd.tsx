import { useEffect, useRef } from 'preact/hooks'

/** Distance in px from the end at which more is loaded. */
const AHEAD = 400

/** The boxes that scroll; a list in the details scrolls with all of its tab. */
const SCROLLS = '.dialog-content, .details-content, .panel-results:not(.details-content > *), .seen-by'

/** Calls `more` near the end of a partly rendered list. With the list's length as key it repeats while in view. */
export function ListEnd({ more }: { more: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let watch: IntersectionObserver | undefined
    const observe = () => {
      watch?.disconnect()
      watch = new IntersectionObserver(
        entries => {
          if (entries.some(entry => entry.isIntersecting)) more()
        },
        {
          root: scrolling(end.current!.closest(SCROLLS)),
          rootMargin: `${AHEAD}px`,
        },
      )
      watch.observe(end.current!)
    }
    observe()
    addEventListener('resize', observe)
    return () => {
      watch?.disconnect()
      removeEventListener('resize', observe)
    }
  }, [])
  return <div ref={end} class="list-end" aria-hidden="true" />
}

/** In a low window the panel around the box scrolls: a box that does not scroll would count as seen to its end. */
function scrolling(box: Element | null): Element | null {
  if (!box || getComputedStyle(box).overflowY !== 'visible') return box
  return scrolling(box.parentElement)
}
