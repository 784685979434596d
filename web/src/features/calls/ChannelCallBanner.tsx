import { strings } from '../../i18n/i18n.ts'
import { channelCall, incoming, ownCallChannel, presentIn } from '../../store/calls.ts'
import { viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { joinCall } from './start-call.ts'

/** The running call of this channel: participants, and a button to join. */
export function ChannelCallBanner() {
  const call = channelCall.value
  if (!call || ownCallChannel.value === call.channel) return null
  if (incoming.value.some(({ call_id }) => call_id === call.call_id)) return null
  const there = presentIn(call).filter(name => name !== viewer)
  if (there.length === 0) return null
  return (
    <div class="banner is-call" role="status">
      <Icon name="phone" size={16} />
      <span>{strings.startCall.goingOn(there)}</span>
      <button type="button" class="button-link" onClick={() => void joinCall(call)}>
        {strings.calls.join}
      </button>
    </div>
  )
}
