import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import './Dialog.css'

interface Props {
  label: string
  onClose: () => void
  children: ComponentChildren
  /** Class of the content. */
  inside: string
}

const STOPS = 'input, button'

/**
 * A dialog that opens within its budget (ui.md 10, Jump). The native modal makes the page inert, which recalculates
 * the style of every element on opening and closing: the largest cost with a long list behind it. Here a scrim covers
 * the page, the focus is trapped, and `aria-modal` tells screen readers.
 */
export function QuickDialog({ label, onClose, children, inside }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const isBeside = useRef(false)
  const stops = () => [...element.current!.querySelectorAll<HTMLElement>(STOPS)]

  useLayoutEffect(() => {
    const opener = document.activeElement
    stops()[0]?.focus({ preventScroll: true })
    const keepInside = (event: FocusEvent) => {
      if (!element.current?.contains(event.target as Node)) stops()[0]?.focus({ preventScroll: true })
    }
    document.addEventListener('focusin', keepInside)
    return () => {
      document.removeEventListener('focusin', keepInside)
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Tab') {
      const all = stops()
      const at = all.indexOf(document.activeElement as HTMLElement) + (event.shiftKey ? -1 : 1)
      all[(at + all.length) % all.length]?.focus()
    } else return
    event.stopPropagation()
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the dialog closes it, as Escape does
    <div
      class="dialog-scrim"
      // Closes on release: closing on press would send the release to the element below.
      onMouseDown={event => {
        isBeside.current = event.target === event.currentTarget
        if (isBeside.current) event.preventDefault()
      }}
      onClick={event => isBeside.current && event.target === event.currentTarget && onClose()}
      onKeyDown={onKeyDown}
    >
      <dialog ref={element} class="dialog" open aria-modal="true" aria-label={label}>
        <div class={inside}>{children}</div>
      </dialog>
    </div>
  )
}
