import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../../i18n/i18n.ts'
import { ownCallChannel, ownShareChannel } from '../../../store/calls.ts'
import { isPhone } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { startCall, startShare } from '../../calls/open-calls.ts'

/** Header buttons of direct conversations and private channels; public channels have no calls (interface 4.8). */
export function CallButtons({ channel }: { channel: ChannelId }) {
  const isHere = ownCallChannel.value === channel
  return (
    <>
      <Start
        icon="phone"
        label={strings.startCall.voice}
        on={isHere}
        run={() => void startCall(channel, false)}
      />
      {!isPhone.value && (
        <>
          <Start icon="video" label={strings.startCall.video} run={() => void startCall(channel, true)} />
          {ownShareChannel.value !== channel && (
            <Start icon="screen" label={strings.startCall.share} run={() => void startShare(channel)} />
          )}
        </>
      )}
    </>
  )
}

interface StartProps {
  icon: string
  label: string
  on?: boolean
  run: () => void
}

function Start({ icon, label, on, run }: StartProps) {
  return (
    <button
      type="button"
      class={`icon-button${on ? ' is-on' : ''}`}
      aria-label={label}
      title={label}
      onClick={run}
    >
      <Icon name={icon} />
    </button>
  )
}
