import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { strings } from '../../i18n/i18n.ts'
import { joinChannel, setArchived } from '../../net/channels/public-channels.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import { toggleDetails } from '../details/open-details.ts'
import { isPreview } from './read-only.ts'
import './ClosedBar.css'

/** Takes the place of the composer, and says why nothing can be written and how that changes. */
export function ClosedBar({ channel }: { channel: Channel }) {
  const info = channel.info.value
  return (
    <div class="composer-area" data-region="composer">
      <div class="message-column">
        <div class="composer-closed">
          {info?.archived ? (
            <Archived channel={channel} info={info} />
          ) : isPreview(channel) ? (
            <>
              <span>{strings.joining.looking(nameOf(channel.id))}</span>
              <button
                type="button"
                class="button button-primary"
                onClick={() => void joinChannel(channel.id)}
              >
                {strings.joining.join}
              </button>
            </>
          ) : (
            <>
              <span>{strings.joining.managersWrite}</span>
              <button type="button" class="button" onClick={() => toggleDetails('people')}>
                {strings.joining.whoWrites}
              </button>
            </>
          )}
        </div>
      </div>
    </div>
  )
}

function Archived({ channel, info }: { channel: Channel; info: ChannelInfoPayload }) {
  return (
    <>
      <span>{strings.joining.archived(info.archived_ts)}</span>
      {info.may.includes('manage') && (
        <button type="button" class="button" onClick={() => void setArchived(channel.id, false)}>
          {strings.joining.unarchive}
        </button>
      )}
    </>
  )
}
