import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import './CommandBar.css'

export interface Asked {
  /** The name of the command that there is not. */
  name: string
  send: () => void
  back: () => void
}

/** Asks before the text of an unknown command is sent. Esc returns to the text. */
export function CommandBar({ name, send, back }: Asked) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div
      class="command-bar"
      role="alertdialog"
      aria-labelledby="command-bar"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        back()
      }}
    >
      <Icon name="info" />
      <b id="command-bar">{strings.commands.unknown(name)}</b>
      <button ref={button} type="button" class="button" onClick={back}>
        {strings.commands.backToText}
      </button>
      <button type="button" class="button button-primary" onClick={send}>
        {strings.commands.send}
      </button>
    </div>
  )
}
