import { useState } from 'preact/hooks'
import type { Channel } from '../../../store/channels/channels.ts'
import { part } from '../../../ui/part.ts'
import { type Typing, typingAt } from './completion.ts'
import type { Choice } from './MentionMenu.tsx'

export const mentionMenu = part<typeof import('./MentionMenu.tsx')>()

/** Completion of `@`, `#`, `:` and a first `/` at the caret. `accept` puts a choice into the text. */
export function useCompletion(channel: Channel, accept: (typing: Typing, choice: Choice) => void) {
  const [typing, setTyping] = useState<Typing | undefined>(undefined)
  /** Index of the marked choice. */
  const [at, setAt] = useState(0)
  const Menu = typing && mentionMenu.get('MentionMenu')
  const choices = typing ? (mentionMenu.now?.choicesFor(channel, typing) ?? []) : []

  const close = () => setTyping(undefined)
  /** Called when the caret has moved. */
  const follow = (area: HTMLTextAreaElement) => setTyping(typingAt(area.value, area.selectionStart))
  /** Called when the text has changed: the first choice is marked again. */
  const restart = (area: HTMLTextAreaElement) => {
    follow(area)
    setAt(0)
  }
  const pick = (choice: Choice) => {
    if (!typing) return
    accept(typing, choice)
    close()
  }
  /** Returns true if the key was one of the list's. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (choices.length === 0) return false
    const choice = choices[at]
    if (event.key === 'ArrowDown') setAt((at + 1) % choices.length)
    else if (event.key === 'ArrowUp') setAt((at - 1 + choices.length) % choices.length)
    // A complete command runs.
    else if (event.key === 'Enter' && typing?.kind === 'command' && choice?.insert === `/${typing.typed}`)
      return false
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && choice) pick(choice)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { Menu, typing, choices, at, close, follow, restart, pick, onKey }
}
