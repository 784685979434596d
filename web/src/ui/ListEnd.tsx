import { useEffect, useRef } from 'preact/hooks'

/** Distance in px from the end at which more is loaded. */
const AHEAD = 400

/** The boxes that scroll; a list in the details scrolls with all of its tab. */
const SCROLLS =
  '.details-content, .panel-results:not(.details-content > *), .seen-by, .private-channel-people'

/** Calls `more` near the end of a partly rendered list. With the list's length as key it repeats while in view. */
export function ListEnd({ more }: { more: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) more()
      },
      {
        root: end.current!.closest(SCROLLS),
        rootMargin: `${AHEAD}px`,
      },
    )
    watch.observe(end.current!)
    return () => watch.disconnect()
  }, [])
  return <div ref={end} class="list-end" aria-hidden="true" />
}
