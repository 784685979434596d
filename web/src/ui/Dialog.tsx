import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import './Dialog.css'

interface Props {
  label: string
  /** Without it the dialog cannot be dismissed. */
  onClose?: () => void
  children: ComponentChildren
  narrow?: boolean
}

/** The browser's own modal: it keeps the focus inside, the rest inert, and gives the focus back. */
export function Dialog({ label, onClose, children, narrow }: Props) {
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
      onKeyDown={event => event.key === 'Escape' && event.stopPropagation()}
      onPointerDown={event => event.target === element.current && onClose?.()}
    >
      <div class="dlg-in">{children}</div>
    </dialog>
  )
}
