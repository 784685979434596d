import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { IconButton } from '../../ui/IconButton.tsx'
import { isPopoverOpen } from '../../ui/Popover.tsx'
import './SidePanel.css'

interface Props {
  id: string
  title: string
  /** The name of the region. */
  label: string
  /** The name of the cross. */
  closeLabel: string
  close: () => void
  /** Buttons before the cross. */
  beside?: ComponentChildren
  children: ComponentChildren
}

/** Panel beside the list of a page. Escape closes it wherever the focus is, before the page. */
export function SidePanel({ id, title, label, closeLabel, close, beside, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const latest = useRef(close)
  latest.current = close
  useEffect(() => heading.current?.focus(), [label])
  // The button that was pressed may be gone.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
      if (isPopoverOpen.peek() || document.querySelector('dialog[open]')) return
      event.preventDefault()
      latest.current()
    }
    // The target of a key while nothing has the focus; the shortcuts of the window come later.
    document.body.addEventListener('keydown', onKey)
    return () => document.body.removeEventListener('keydown', onKey)
  }, [])
  return (
    <aside id={id} class="side-panel" aria-label={label}>
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        {beside}
        <IconButton icon="x" label={closeLabel} onClick={close} />
      </div>
      {children}
    </aside>
  )
}
