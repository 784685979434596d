import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import './Dialog.css'

interface Props {
  label: string
  /** Without it the dialog cannot be dismissed. */
  onClose?: () => void
  children: ComponentChildren
  narrow?: boolean
  /** A class for what is inside, instead of the usual column. */
  inside?: string
}

/** The browser's own modal: it keeps the focus inside, the rest inert, and gives the focus back. */
export function Dialog({ label, onClose, children, narrow, inside = 'dlg-in' }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current!
    const opener = document.activeElement
    dialog.showModal()
    return () => {
      dialog.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={`dlg${narrow ? ' dlg-narrow' : ''}`}
      aria-label={label}
      onCancel={event => {
        event.preventDefault()
        onClose?.()
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
        // Answered here: a browser that was refused once would close the dialog the next time, whatever it is told.
        event.stopPropagation()
        event.preventDefault()
        onClose?.()
      }}
      onPointerDown={event => event.target === element.current && onClose?.()}
    >
      <div class={inside}>{children}</div>
    </dialog>
  )
}
