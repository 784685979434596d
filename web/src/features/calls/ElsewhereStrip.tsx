import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { partFrom } from '../../net/requests/call-endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { tabs } from '../../net/tabs/tabs.ts'
import { callElsewhere, noteDeparture } from '../../store/calls.ts'
import { plainName } from '../../store/channels/names.ts'
import { hashOf } from '../../store/route.ts'
import { showToast } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { canRead } from './start-call.ts'
import './Stage.css'
import './ElsewhereStrip.css'

/** The strip of a tab whose owner is in a call in another tab or on another device. */
export function ElsewhereStrip() {
  const call = callElsewhere.value
  if (!call) return null
  const { channel, call_id } = call
  const isInTab = tabs.value.some(({ inCall }) => inCall)
  const text = (
    <>
      <Icon name="headphones" />
      <span class="call-bar-text">
        <b>{plainName(channel)}</b>
        <span>{isInTab ? strings.calls.inOtherTab : strings.calls.onOtherDevice}</span>
      </span>
    </>
  )
  return (
    <div class="call-bar" role="group" aria-label={strings.calls.label}>
      {canRead(channel) ? (
        <a class="call-bar-link" href={hashOf(channel)}>
          {text}
        </a>
      ) : (
        <span class="call-bar-link">{text}</span>
      )}
      <IconButton
        icon="phone-down"
        label={strings.calls.hangUp}
        size={28}
        onClick={() => void leave(call_id, channel)}
      />
    </div>
  )
}

/** The tab with the call finds out by its next request for the state. */
async function leave(id: string, channel: ChannelId) {
  try {
    await partFrom(id, 'leave')
    noteDeparture(id)
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.calls.notLeft(plainName(channel)), { icon: 'alert' })
  }
}
