import { useEffect, useState } from 'preact/hooks'
import { toast } from './feedback.ts'
import { Icon } from './Icon.tsx'
import { passFocus } from './pass-focus.ts'
import './Toast.css'

const SHOWN = 5_000
const SHOWN_WITH_ACTION = 10_000

/** At most one toast; its timer pauses while the pointer or the focus is on it. `focusAfter`: takes the focus of its button. */
export function ToastHost({ focusAfter }: { focusAfter: () => HTMLElement | null }) {
  const shown = toast.value
  const [held, hold] = useState(false)
  useEffect(() => {
    if (!shown || held) return
    const timer = setTimeout(
      () => {
        if (toast.peek() === shown) toast.value = undefined
      },
      shown.action ? SHOWN_WITH_ACTION : SHOWN,
    )
    return () => clearTimeout(timer)
  }, [shown, held])
  return (
    <div class="toasts" role="status">
      {shown && (
        <div
          class="toast"
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          onFocusIn={() => hold(true)}
          onFocusOut={() => hold(false)}
        >
          {shown.icon && <Icon name={shown.icon} />}
          <span class="toast-text">{shown.text}</span>
          {shown.action && (
            <button
              type="button"
              class="toast-action"
              onClick={event => {
                hold(false)
                passFocus(event.currentTarget, focusAfter())
                toast.value = undefined
                shown.action?.run()
              }}
            >
              {shown.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
