import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** In ms; elements that only scroll past are ignored. */
const LOOKED_AT = 300

/** Calls `seen` once the element has been in view for LOOKED_AT, and the function it returns when it leaves. */
export function useOnScreen(element: RefObject<Element | null>, seen: (() => () => void) | undefined) {
  const isWatching = seen !== undefined
  useEffect(() => {
    if (!isWatching || !element.current) return
    return watch(element.current.closest('article') ?? element.current, seen)
  }, [isWatching])
}

function watch(element: Element, seen: () => () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let gone: (() => void) | undefined
  const leave = () => {
    clearTimeout(timer)
    gone?.()
    gone = undefined
  }
  const observer = new IntersectionObserver(entries => {
    leave()
    if (!entries.at(-1)!.isIntersecting) return
    timer = setTimeout(() => {
      gone = seen()
    }, LOOKED_AT)
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    leave()
  }
}
