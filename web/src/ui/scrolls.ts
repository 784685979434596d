import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** True while the content overflows: the element must then be focusable. */
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
    // The content may grow while the element does not.
    for (const child of current.children) resized.observe(child)
    return () => resized.disconnect()
  })
  return [element, scrolls]
}
