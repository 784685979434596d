import type { Seconds } from '#shared/domain/units.ts'
import { strings } from '../../../i18n/i18n.ts'
import { showFrom } from '../../../net/channels/open-channel.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { unreadIn } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { marking } from '../open-marking.ts'
import './UnreadBar.css'

/** Above the list while unread messages are out of view (ui.md 6.5). */
export function UnreadBar({ channel, since }: { channel: Channel; since: Seconds | undefined }) {
  const count = unreadIn(channel.id)
  if (count === 0) return null
  return (
    <div class="unread-bar">
      <button
        type="button"
        class="unread-bar-count"
        title={strings.unreadBar.show}
        disabled={since === undefined}
        onClick={() => since !== undefined && void showFrom(channel, since)}
      >
        {since === undefined ? strings.unreadBar.count(count) : strings.unreadBar.since(count, since)}
      </button>
      <button type="button" onClick={() => marking.use(module => void module.markOpenChannelRead(channel))}>
        <Icon name="check" size={16} />
        {strings.unreadBar.markRead}
      </button>
    </div>
  )
}
