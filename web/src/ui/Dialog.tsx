import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLayer, type View } from './layers.ts'
import './Dialog.css'

interface Props {
  label: string
  /** The dialog cannot be dismissed without it. */
  onClose?: () => unknown
  children: ComponentChildren
  narrow?: boolean
  /** Class of the content, instead of the usual column. */
  inside?: string
  /** The dialog is a view with an address. */
  view?: View
  /** The content is a form. */
  form?: {
    ref: RefObject<HTMLFormElement | null>
    onSubmit: () => unknown
    onKeyDown?: ((event: KeyboardEvent) => void) | undefined
  }
}

/** The native modal: traps the focus, makes the rest inert and restores the focus. */
export function Dialog({ label, onClose, children, narrow, inside = 'dialog-content', view, form }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const isBeside = useRef(false)
  useLayer(onClose, view, { covers: true })
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
      class={`dialog${narrow ? ' dialog-narrow' : ''}`}
      aria-label={label}
      onCancel={event => {
        event.preventDefault()
        onClose?.()
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
        // Handled here: after one prevented `cancel` browsers close the dialog on the next Escape regardless.
        event.stopPropagation()
        event.preventDefault()
        onClose?.()
      }}
      // Closes on release: closing on press would send the release to the element below.
      onMouseDown={event => {
        isBeside.current = event.target === element.current
        if (isBeside.current) event.preventDefault()
      }}
      onClick={event => isBeside.current && event.target === element.current && onClose?.()}
    >
      {form ? (
        <form
          {...form}
          class={inside}
          noValidate
          onSubmit={event => {
            event.preventDefault()
            form.onSubmit()
          }}
        >
          {children}
        </form>
      ) : (
        <div class={inside}>{children}</div>
      )}
    </dialog>
  )
}
