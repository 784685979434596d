import { useEffect, useRef } from 'preact/hooks'

/** Distance in px from the end at which more is loaded. */
const AHEAD = 400

/** Calls `more` near the end of a partly rendered list. With the list's length as key it repeats while in view. */
export function ListEnd({ more }: { more: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) more()
      },
      {
        root: end.current!.closest('.panel-results, .seen-by, .private-channel-people'),
        rootMargin: `${AHEAD}px`,
      },
    )
    watch.observe(end.current!)
    return () => watch.disconnect()
  }, [])
  return <div ref={end} class="list-end" aria-hidden="true" />
}
