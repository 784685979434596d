import { useEffect, useRef } from 'preact/hooks'
import { EVERYONE, mentionsIn, mentionTokens } from '#shared/domain/mentions.ts'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { nameOf } from '../../store/names.ts'
import { activeAmong, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'

/** A text that notifies more people than this is sent after a question. */
const MANY = 10

/** The number of people that `@everyone` in a text notifies, if it is more than ten. */
export function manyNotifiedBy(text: string, channel: Channel): number | undefined {
  const members = channel.members.peek()
  const others = members.filter(name => name !== viewer).length
  if (others <= MANY || !text.toLowerCase().includes(EVERYONE)) return undefined
  return mentionsIn(mentionTokens(text), members)?.[0] === EVERYONE ? others : undefined
}

interface Props {
  channel: Channel
  count: number
  send: () => void
  back: () => void
}

/** Asks before `@everyone` notifies many people. Enter sends, Esc returns to the text. */
export function NotifyManyBar({ channel, count, send, back }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const here = activeAmong(channel.members.value.filter(name => name !== viewer)).length
  return (
    <div
      class="notify-many"
      role="alertdialog"
      aria-labelledby="notify-many"
      aria-describedby="notify-many-more"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        back()
      }}
    >
      <Icon name="users" />
      <div>
        <b id="notify-many">{strings.composer.notifyMany(count)}</b>
        <p id="notify-many-more">{strings.composer.notifyManyMore(nameOf(channel.id), here)}</p>
      </div>
      <button type="button" class="button" onClick={back}>
        {strings.composer.backToText}
      </button>
      <button ref={button} type="button" class="button button-primary" onClick={send}>
        {strings.composer.notify(count)}
      </button>
    </div>
  )
}
