import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Whether there is more in an element than is seen of it: then it must be in reach of the keyboard. */
export function useScrolls<E extends HTMLElement>(): [RefObject<E | null>, boolean] {
  const element = useRef<E>(null)
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const look = () => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = current
      setScrolls(scrollWidth > clientWidth || scrollHeight > clientHeight)
    }
    const resized = new ResizeObserver(look)
    resized.observe(current)
    // What is in it may grow while it does not.
    for (const child of current.children) resized.observe(child)
    return () => resized.disconnect()
  })
  return [element, scrolls]
}
