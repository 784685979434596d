import { strings } from '../../i18n/i18n.ts'
import { plainName } from '../../store/channels/names.ts'
import { viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Duration } from './Duration.tsx'
import { endLabel, hangUp } from './EndControls.tsx'
import { toggleMicrophone } from './keys.ts'
import { ShareTile } from './ShareTile.tsx'
import { showCall } from './start-call.ts'
import { ongoing } from './state.ts'
import { PersonTile } from './Tile.tsx'
import './Stage.css'
import './MiniCall.css'

/** The call in a corner: the last speaker, and the way back. */
export function MiniCall() {
  const call = ongoing.value
  if (!call) return null
  const spoke = call.levels.spoke.value
  const others = call.shown.value.filter(name => name !== viewer)
  const [first = viewer] = [...others].sort((a, b) => (spoke.get(b) ?? 0) - (spoke.get(a) ?? 0))
  const sharer = call.sharer.value
  const screen = sharer !== undefined && sharer !== viewer ? call.peers.value.get(sharer) : undefined
  return (
    <section class="mini-call stage-look" aria-label={strings.calls.label} data-region="call">
      {screen ? (
        <ShareTile name={screen.name} stream={screen.screen.value} />
      ) : (
        <PersonTile call={call} name={first} small />
      )}
      <div class="mini-call-bar">
        <span class="mini-call-text">
          <b>{plainName(call.channel)}</b>
          <span class="tabular-numbers">
            {call.phase.value === 'active' ? (
              <Duration since={call.answeredTs.value} />
            ) : (
              strings.calls.ringing
            )}
          </span>
        </span>
        <CallButtons28 />
        <IconButton icon="expand" label={strings.calls.expand} onClick={showCall} />
      </div>
    </section>
  )
}

/** The green strip above the sidebar's foot, shown during every call. */
export function CallStrip() {
  const call = ongoing.value
  if (!call) return null
  return (
    <div class="call-bar" role="group" aria-label={strings.calls.label}>
      <button type="button" class="call-bar-link" title={strings.calls.expand} onClick={showCall}>
        <Icon name="speaker" />
        <span class="call-bar-text">
          <b>{plainName(call.channel)}</b>
          <span class="tabular-numbers">
            {call.phase.value === 'active' ? (
              <Duration since={call.answeredTs.value} />
            ) : (
              strings.calls.ringing
            )}
          </span>
        </span>
        <span class="visually-hidden">{strings.calls.expand}</span>
      </button>
      <CallButtons28 />
    </div>
  )
}

function CallButtons28() {
  const call = ongoing.value!
  const muted = call.local.muted.value || !call.local.microphone.value
  const label = muted ? strings.calls.unmute : strings.calls.mute
  return (
    <>
      <IconButton
        icon={muted ? 'mic-off' : 'mic'}
        label={label}
        size={28}
        onClick={() => toggleMicrophone(call)}
      />
      <IconButton icon="phone-down" label={endLabel(call)} size={28} onClick={() => hangUp(call)} />
    </>
  )
}
