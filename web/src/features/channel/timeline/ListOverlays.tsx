import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { Icon } from '../../../ui/Icon.tsx'
import type { ListView } from './list-view.ts'
import { UnreadBar } from './UnreadBar.tsx'

interface Props {
  channel: Channel
  overlay: ListView['overlay']
  toLatest: () => void
}

/** The bar of unread messages, the date of the top row while scrolling, and the button that leads to the end. */
export function ListOverlays({ channel, overlay, toLatest }: Props) {
  const { away, newer, floating, hasUnread, unreadSince } = overlay.value
  return (
    <>
      {hasUnread && <UnreadBar channel={channel} since={unreadSince} />}
      {floating !== undefined && (
        <div class="floating-date" aria-hidden="true">
          {strings.date(floating)}
        </div>
      )}
      {away && (
        <button type="button" class="to-latest" onClick={toLatest}>
          <Icon name="arrow-down" size={16} />
          {newer ? strings.list.newer(newer) : strings.list.latest}
        </button>
      )}
    </>
  )
}
