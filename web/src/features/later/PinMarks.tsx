import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { displayed } from '../../store/people/people.ts'
import { Icon } from '../../ui/Icon.tsx'
import './later.css'

/** The line above a pinned message. */
export function PinnedBy({ row }: { row: MessagePayload }) {
  const by = row.extra?.pinned?.by
  if (by === undefined) return null
  return (
    <div class="pinned-by">
      <Icon name="pin" size={14} />
      {strings.pins.by(displayed(by))}
    </div>
  )
}

export interface PinsButtonProps {
  channel: Channel
  isShown: boolean
  toggle: () => void
}

/** In the header of the channel: the number of pins; a press lists them. */
export function PinsButton({ channel, isShown, toggle }: PinsButtonProps) {
  const count = channel.info.value?.pins ?? 0
  const label = strings.pins.open(count)
  return (
    <button
      type="button"
      class="icon-button pins-button"
      aria-label={label}
      title={label}
      aria-pressed={isShown}
      onClick={toggle}
    >
      <Icon name="pin" />
      <span class="tabular-numbers" aria-hidden="true">
        {count}
      </span>
    </button>
  )
}
