import type { ComponentChildren } from 'preact'

interface Props {
  id: string
  chosen: boolean
  pick: () => void
  /** `result`: a search result; `option`: a menu line. */
  look?: 'option' | 'result'
  messageId?: number
  children: ComponentChildren
}

/** A line of a listbox whose field keeps the focus and handles the keys; this handles the press only. */
export function Option({ id, chosen, pick, look = 'option', messageId, children }: Props) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list has the keys
    <div
      id={id}
      class={chosen && look === 'option' ? 'option is-on' : look}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      data-message-id={messageId}
      onMouseDown={event => event.preventDefault()}
      onClick={pick}
    >
      {children}
    </div>
  )
}
