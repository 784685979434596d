import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'

interface Props {
  /** Id of the message; unfolded texts stay so while the tab is open. */
  id: number
  children: ComponentChildren
}

const unfolded = new Set<number>()

/** A text of more than 25 lines shows 20 of them, and a button for the others (MessageBody.css). */
export function LongText({ id, children }: Props) {
  const text = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  /** Position in px of the button when it was pressed to fold. */
  const pressedAt = useRef<number | undefined>(undefined)
  const [isWhole, setWhole] = useState(unfolded.has(id))
  const [isLong, setLong] = useState(false)
  // Measured at once, so that the list keeps its position in the same frame.
  useLayoutEffect(() => {
    const { current } = text
    if (!current) return
    const look = () => setLong(current.scrollHeight > current.clientHeight + 1)
    look()
    const resized = new ResizeObserver(look)
    resized.observe(current)
    return () => resized.disconnect()
  })
  useLayoutEffect(() => {
    const list = button.current?.closest('.message-list')
    if (!list || pressedAt.current === undefined) return
    // The button stays under the pointer; the top of the text may be far above.
    list.scrollTop += button.current!.getBoundingClientRect().top - pressedAt.current
    pressedAt.current = undefined
  }, [isWhole])
  const toggle = () => {
    if (isWhole) {
      unfolded.delete(id)
      pressedAt.current = button.current?.getBoundingClientRect().top
      // Keeps the button, and the focus on it, until the text is measured.
      setLong(true)
    } else unfolded.add(id)
    setWhole(!isWhole)
  }
  const state = isWhole ? '' : isLong ? ' is-folded' : ' is-bounded'
  return (
    <>
      <div
        ref={text}
        class={`message-text${state}`}
        dir="auto"
        // Scrolled by the focus on a link, or by the browser's search.
        onScroll={event => !isWhole && event.currentTarget.scrollTop > 0 && toggle()}
      >
        {children}
      </div>
      {(isWhole || isLong) && (
        <button ref={button} type="button" class="message-more" aria-expanded={isWhole} onClick={toggle}>
          {isWhole ? strings.list.showLess : strings.list.showMore}
        </button>
      )}
    </>
  )
}
