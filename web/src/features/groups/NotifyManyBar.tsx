import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import { activeAmong } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { MassMention } from './group-state.ts'
import './NotifyManyBar.css'

interface Props {
  channel: Channel
  mention: MassMention
  tell: () => void
  sendWithout: () => void
  back: () => void
}

/** Asks before a text tells many people. Esc returns to the text. */
export function NotifyManyBar({ channel, mention, tell, sendWithout, back }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const { names, count, people } = mention
  const texts = strings.groups
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
        <b id="notify-many">{texts.notifyMany(names, count)}</b>
        <p id="notify-many-more">
          {texts.notifyManyMore(nameOf(channel.id), people && activeAmong(people).length)}
        </p>
      </div>
      <button ref={button} type="button" class="button" onClick={sendWithout}>
        {texts.sendWithout}
      </button>
      <button type="button" class="button button-primary" onClick={tell}>
        {texts.notify(count)}
      </button>
    </div>
  )
}
