import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import './TooLongMark.css'

interface Props {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  limit: number
}

/** Marks the text beyond the limit of a message: the same text on top of the field, with only the mark visible. */
export function TooLongMark({ field, text, limit }: Props) {
  const copy = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const area = field.current
    const { style } = copy.current!
    if (!area) return
    const follow = () => {
      copy.current!.scrollTop = area.scrollTop
    }
    const place = () => {
      style.left = `${area.offsetLeft}px`
      style.top = `${area.offsetTop + area.clientTop}px`
      style.width = `${area.clientWidth}px`
      style.height = `${area.clientHeight}px`
      follow()
    }
    place()
    const resized = new ResizeObserver(place)
    resized.observe(area)
    area.addEventListener('scroll', follow, { passive: true })
    return () => {
      resized.disconnect()
      area.removeEventListener('scroll', follow)
    }
  })
  return (
    <div ref={copy} class="composer-input too-long-mark" dir="auto" aria-hidden="true">
      {text.slice(0, limit)}
      <mark>{text.slice(limit)}</mark>{' '}
    </div>
  )
}
