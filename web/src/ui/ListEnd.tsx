import { useEffect, useRef } from 'preact/hooks'

/** So many pixels before the end of a list is seen, more of it is drawn or asked for. */
const AHEAD = 400

/**
 * Stands at the end of a list of which not all is drawn; calls `more` when it is nearly seen. With the list's length as its
 * key it calls again for as long as it stays in view.
 */
export function ListEnd({ more }: { more: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) more()
      },
      { root: end.current!.closest('.results, .seen-by, .pc-people'), rootMargin: `${AHEAD}px` },
    )
    watch.observe(end.current!)
    return () => watch.disconnect()
  }, [])
  return <div ref={end} class="list-end" aria-hidden="true" />
}
