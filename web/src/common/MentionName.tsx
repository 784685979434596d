import { EVERYONE } from '#shared/domain/mentions.ts'
import { displayed } from '../store/people/people.ts'
import { viewer } from '../store/store.ts'

interface Props {
  /** As typed. */
  name: string
  /** As registered, or `@everyone`. */
  username: string
  onOpen?: (anchor: HTMLElement) => void
}

/** `@` and the name that people read; the title has the username. */
export function MentionName({ name, username, onOpen }: Props) {
  const everyone = username === EVERYONE
  const shown = everyone ? name : displayed(username)
  // Not a button: browsers leave the text of buttons out when text is copied.
  return (
    // biome-ignore lint/a11y: the row is the tab stop of the list, and the people panel has everybody for the keyboard
    <span
      class={everyone || username === viewer ? 'mention is-viewer' : 'mention'}
      dir="auto"
      data-person={onOpen && username}
      title={everyone || shown === username ? undefined : `@${username}`}
      onClick={onOpen && (event => onOpen(event.currentTarget))}
    >
      @{shown === username ? name : shown}
    </span>
  )
}
