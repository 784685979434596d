import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * True while the content overflows: the element must then be focusable. While its end edge cuts the content, the
 * attribute `data-cut` is set, for a fade.
 */
export function useScrolls<E extends HTMLElement>(): [RefObject<E | null>, boolean] {
  const element = useRef<E>(null)
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const look = () => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = current
      setScrolls(scrollWidth > clientWidth || scrollHeight > clientHeight)
      current.toggleAttribute('data-cut', current.scrollLeft + clientWidth < scrollWidth - 1)
    }
    current.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(current)
    // The content may grow while the element does not.
    for (const child of current.children) resized.observe(child)
    return () => {
      current.removeEventListener('scroll', look)
      resized.disconnect()
    }
  })
  return [element, scrolls]
}
