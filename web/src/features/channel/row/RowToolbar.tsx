import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { emojiOf, QUICK } from '../../../common/emoji.ts'
import { strings } from '../../../i18n/i18n.ts'
import { toggleReaction } from '../../../net/messages/message-mutations.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { toggleSaved } from '../../later/open-later.ts'
import { openedThread, openThread } from '../../threads/open-threads.ts'
import { canReply, openReactionPicker, replyTo } from '../message-actions.tsx'
import { openMessageMenu } from '../open-message-menu.ts'
import { canReact } from '../read-only.ts'

export interface RowToolbarProps {
  channel: Channel
  row: MessagePayload
}

/** Toolbar of the hovered or focused row: one tab stop, arrow keys move inside. */
export function RowToolbar({ channel, row }: RowToolbarProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
    event.preventDefault()
    const bar = event.currentTarget as HTMLElement
    const onward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const buttons = [...bar.querySelectorAll<HTMLElement>('button')]
    const at = buttons.indexOf(document.activeElement as HTMLElement) + (event.key === onward ? 1 : -1)
    buttons[(at + buttons.length) % buttons.length]?.focus()
  }
  const quick = canReact(row) ? QUICK.slice(0, 3) : []
  const thread = row.extra?.thread ?? row.id
  const bar = useRef<HTMLDivElement>(null)
  const [isLow, setLow] = useState(false)
  useLayoutEffect(() => setLow(coversButtons(bar.current!)), [])
  return (
    <div
      ref={bar}
      class={isLow ? 'message-actions is-low' : 'message-actions'}
      role="toolbar"
      aria-label={strings.actions.label}
      onKeyDown={onKeyDown}
    >
      {quick.map((name, at) => (
        <button
          type="button"
          key={name}
          class="icon-button icon-button-28"
          tabIndex={at === 0 ? 0 : -1}
          aria-label={strings.actions.react(name)}
          title={strings.actions.react(name)}
          onClick={() => void toggleReaction(row, name)}
        >
          <em>{emojiOf(name)}</em>
        </button>
      ))}
      {quick.length > 0 && (
        <>
          <span class="message-actions-separator" />
          <IconButton
            icon="react"
            label={strings.actions.addReaction}
            size={28}
            tabIndex={-1}
            onClick={event => openReactionPicker(event.currentTarget, row)}
          />
        </>
      )}
      {canReply(row) && (
        <IconButton
          icon="reply"
          flip
          label={strings.actions.reply}
          size={28}
          tabIndex={-1}
          onClick={() => replyTo(row)}
        />
      )}
      {row.id > 0 && openedThread.value?.id !== thread && (
        <IconButton
          icon="thread"
          label={strings.actions.thread}
          size={28}
          tabIndex={-1}
          onClick={() => openThread(channel.id, thread)}
        />
      )}
      <IconButton
        icon="bookmark"
        label={strings.actions.save}
        size={28}
        tabIndex={quick.length > 0 ? -1 : 0}
        onClick={() => toggleSaved(row)}
      />
      <IconButton
        icon="more"
        label={strings.actions.more}
        size={28}
        tabIndex={-1}
        aria-haspopup="menu"
        onClick={event => openMessageMenu(event.currentTarget, channel, row)}
      />
    </div>
  )
}

/** True if the toolbar would cover buttons of the row above, for example of a card or its readers. */
function coversButtons(bar: HTMLElement): boolean {
  const above = bar.closest('article')?.previousElementSibling
  const buttons = above?.querySelectorAll('button') ?? []
  if (buttons.length === 0) return false
  const own = bar.getBoundingClientRect()
  return [...buttons].some(button => {
    const other = button.getBoundingClientRect()
    return other.bottom > own.top && other.right > own.left && other.left < own.right
  })
}
