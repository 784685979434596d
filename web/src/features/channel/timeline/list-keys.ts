/** Keys that act while the focus is in the message list, and never while someone is typing (ui.md 7). */

import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { composerField } from '../../../common/composer-field.ts'
import { QUICK } from '../../../common/emoji.ts'
import { markMessageUnread } from '../../../common/mark-read.ts'
import { toggleReaction } from '../../../net/messages/message-mutations.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { isRowItem, rowsOf } from '../../../store/messages/items.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { panel } from '../../../store/store.ts'
import { isPopoverOpen } from '../../../ui/Popover.tsx'
import { togglePin, toggleSaved } from '../../later/open-later.ts'
import { openThread } from '../../threads/open-threads.ts'
import {
  askToDelete,
  canDelete,
  canEdit,
  canPin,
  canReply,
  copyLink,
  copyText,
  edit,
  openReactionPicker,
  replyTo,
} from '../message-actions.tsx'
import { openForward } from '../open-forward.ts'
import { openMessageMenu } from '../open-message-menu.ts'
import { canReact } from '../read-only.ts'
import { hasBrowserMenu } from '../row/has-browser-menu.ts'

interface List {
  focus: (key: string) => void
  toEnd: () => void
  page: (step: 1 | -1) => void
}

/** True for the root of a thread. */
const hasReplies = ({ replyCounts }: Channel, { id, extra }: MessagePayload) =>
  (replyCounts.peek().has(id) ? replyCounts.peek().get(id) : extra?.replies) !== undefined

export function onListKey(event: KeyboardEvent, channel: Channel, list: List) {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, [role="toolbar"]'))
    return
  if (event.key.length === 1 && !preferred.singleLetterKeys.peek()) return
  const article = target.closest<HTMLElement>('article')
  const rows = channel.items.value.filter(isRowItem)
  const at = rows.findIndex(row => row.key === article?.dataset.key)
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const to = moves[event.key]
  if (to !== undefined) {
    event.preventDefault()
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)]
    if (next) list.focus(next.key)
    return
  }
  if (event.key === 'PageUp' || event.key === 'PageDown') {
    event.preventDefault()
    list.page(event.key === 'PageDown' ? 1 : -1)
    return
  }
  // Escape first closes a panel or pop-over.
  if (event.key === 'Escape' && !event.shiftKey && panel.peek() === undefined && !isPopoverOpen.peek()) {
    event.stopPropagation()
    list.toEnd()
    // The message is no longer selected then.
    target.blur()
    composerField()?.focus()
    return
  }
  const item = rows[at]
  // Enter presses a focused button inside the row; all other keys act on the message.
  if (!article || !item || (target !== article && event.key === 'Enter')) return
  const { row, pending } = rowsOf(item)[0]!
  if (item.kind === 'deleted' && /^(t|enter)$/i.test(event.key) && hasReplies(channel, row)) {
    event.preventDefault()
    openThread(channel.id, row.id)
  }
  if (pending || item.kind !== 'message') return
  const act: Record<string, () => void> = {
    r: () => canReply(row) && replyTo(row),
    e: () => canEdit(row) && edit(row),
    a: () => canReact(row) && openReactionPicker(article, row),
    f: () => event.shiftKey && openForward(row),
    c: () => copyText(row),
    l: () => copyLink(row),
    u: () => markMessageUnread(row),
    s: () => row.id > 0 && row.deleted === 0 && toggleSaved(row),
    p: () => canPin(row) && togglePin(row),
    t: () => openThread(channel.id, row.extra?.thread ?? row.id),
    Delete: () => canDelete(row) && askToDelete(row, event.shiftKey),
    Enter: () => openMessageMenu(article, channel, row),
    ContextMenu: () => openMessageMenu(article, channel, row),
    1: () => canReact(row) && void toggleReaction(row, QUICK[0]),
    2: () => canReact(row) && void toggleReaction(row, QUICK[1]),
    3: () => canReact(row) && void toggleReaction(row, QUICK[2]),
  }
  const key = event.key === 'F10' && event.shiftKey ? 'ContextMenu' : event.key
  const run = act[key.length === 1 ? key.toLowerCase() : key]
  if (!run || (key === 'ContextMenu' && hasBrowserMenu(target))) return
  event.preventDefault()
  run()
}
