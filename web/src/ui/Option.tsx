import type { ComponentChildren } from 'preact'

interface Props {
  id: string
  chosen: boolean
  pick: () => void
  /** `res` for a result, else a line of a menu. */
  look?: 'opt' | 'res'
  messageId?: number
  children: ComponentChildren
}

/** One line of a listbox whose field keeps the focus: the keys are the field's, this only takes the press. */
export function Option({ id, chosen, pick, look = 'opt', messageId, children }: Props) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list has the keys
    <div
      id={id}
      class={chosen && look === 'opt' ? 'opt on' : look}
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
