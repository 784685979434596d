import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { isSystemMessage } from '../../../store/messages/items.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import type { Thread } from '../../../store/threads/thread-rows.ts'
import { closeToRootRow } from '../../threads/open-root-row.ts'
import { openForward } from '../open-forward.ts'
import { openMessageMenu } from '../open-message-menu.ts'
import { hasBrowserMenu } from '../row/has-browser-menu.ts'

/** Keys of the panel, outside of its composer: arrows, the menu, F follows, Shift+F forwards, T closes. */
export function onThreadKey(
  event: KeyboardEvent,
  channel: Channel,
  thread: Thread | undefined,
  follow: () => void,
) {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, [role="toolbar"]'))
    return
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (key.length === 1 && !preferred.singleLetterKeys.peek()) return
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('article')]
  const article = target.closest<HTMLElement>('article')
  const at = article ? rows.indexOf(article) : -1
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const to = moves[key]
  if (to !== undefined) rows[Math.min(Math.max(to, 0), rows.length - 1)]?.focus()
  else if (key === 'f' && event.shiftKey) openForward(rowAt(article, thread))
  else if (key === 'f' && thread) follow()
  else if (key === 't') closeToRootRow()
  else if (key === 'Enter' && article === target && thread) menuAt(article, channel, thread)
  else return
  event.preventDefault()
}

export function showMenuOf(event: MouseEvent, channel: Channel, thread: Thread) {
  const article = (event.target as Element).closest<HTMLElement>('article')
  if (!article || event.shiftKey || hasBrowserMenu(event.target as Element)) return
  if (menuAt(article, channel, thread, { x: event.clientX, y: event.clientY })) event.preventDefault()
}

function menuAt(article: HTMLElement, channel: Channel, thread: Thread, at?: { x: number; y: number }) {
  const row = rowAt(article, thread)
  if (!row || row.deleted === 1 || isSystemMessage(row)) return false
  openMessageMenu(article, channel, row, at)
  return true
}

function rowAt(article: HTMLElement | null, thread: Thread | undefined): MessagePayload | undefined {
  const id = Number(article?.dataset['messageId'])
  return thread?.root?.id === id ? thread.root : thread?.rows.find(one => one.id === id)
}
