import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import './Dialog.css'

interface Props {
  label: string
  onClose: () => void
  children: ComponentChildren
  /** A class for what is inside. */
  inside: string
}

const STOPS = 'input, button'

/**
 * For what must be there at once (ui.md 10, Jump). The browser's own modal makes the rest of the page inert, and for that
 * asks for the style of every element anew, when it opens and when it closes: with a long list behind it that takes
 * longer than all else. Here the rest is covered, the focus is kept inside, and `aria-modal` says so to those who listen.
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
      class="dlg-scrim"
      // When it is let go: closed any sooner, the rest of the press would be for what lies below.
      onMouseDown={event => {
        isBeside.current = event.target === event.currentTarget
        if (isBeside.current) event.preventDefault()
      }}
      onClick={event => isBeside.current && event.target === event.currentTarget && onClose()}
      onKeyDown={onKeyDown}
    >
      <dialog ref={element} class="dlg" open aria-modal="true" aria-label={label}>
        <div class={inside}>{children}</div>
      </dialog>
    </div>
  )
}
