import { useEffect, useState } from 'preact/hooks'
import { RING_TIME } from '#shared/domain/calls.ts'
import type { RunningCallPayload } from '#shared/domain/payloads/calls.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { leads } from '../../net/tabs/leader.ts'
import { incoming, presentIn } from '../../store/calls.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { isDm, othersIn, plainName } from '../../store/channels/names.ts'
import { displayed, statusOf } from '../../store/people/people.ts'
import { isMuted, preferred } from '../../store/preferences/preferences.ts'
import { viewer } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { onRingKey } from './keys.ts'
import { startRinging } from './ring.ts'
import { answer, canRead, decline } from './start-call.ts'
import './IncomingCalls.css'

/** Cards at the top, not modal: a user who is writing can go on. */
export function IncomingCalls() {
  const rings = incoming.value
  useRinging(rings.length > 0)
  useEffect(() => {
    addEventListener('keydown', onRingKey, true)
    return () => removeEventListener('keydown', onRingKey, true)
  }, [])
  return (
    <div class="incoming-calls" data-region="ring">
      {rings.map(ring => (
        <RingCard key={ring.call_id} ring={ring} />
      ))}
    </div>
  )
}

/** Only one tab of a person rings, one with a user gesture: browsers mute the others. */
function useRinging(isRinging: boolean) {
  const isTouched = navigator.userActivation?.hasBeenActive ?? true
  const isPaused = statusOf(viewer)?.quiet
  const isOurs =
    isTouched && leads('sound').value && preferred.callSounds.value && !isMuted.value && !isPaused
  useEffect(() => {
    if (isRinging && isOurs) return startRinging(preferred.volume.peek())
  }, [isRinging, isOurs])
}

function RingCard({ ring }: { ring: RunningCallPayload }) {
  const [since] = useState(() => elapsed(ring))
  const place = [ring.video ? strings.calls.videoCall : strings.calls.voiceCall, ...placeOf(ring)].join(' · ')
  const there = presentIn(ring).filter(name => name !== ring.initiator)
  useEffect(() => announce(`${strings.calls.isCalling(displayed(ring.initiator))}. ${place}`, true), [])
  const id = `ring-${ring.call_id}`
  return (
    <section class="incoming-call" role="alertdialog" aria-labelledby={id} aria-describedby={`${id}-where`}>
      <div class="incoming-call-head">
        <div class="incoming-call-avatar">
          <svg class="incoming-call-timer" viewBox="0 0 64 64" aria-hidden="true">
            <circle cx="32" cy="32" r="30" />
            <circle cx="32" cy="32" r="30" pathLength="100" style={{ 'animation-delay': `${-since}s` }} />
          </svg>
          <Avatar name={ring.initiator} size={36} />
        </div>
        <div class="incoming-call-text">
          <b id={id}>{strings.calls.isCalling(displayed(ring.initiator))}</b>
          <span id={`${id}-where`}>{place}</span>
          {there.length > 0 && <span>{strings.calls.haveAnswered(there)}</span>}
        </div>
      </div>
      <div class="incoming-call-buttons">
        <button
          type="button"
          class="button"
          aria-keyshortcuts="Alt+Backspace"
          onClick={() => void decline(ring)}
        >
          {strings.calls.decline}
        </button>
        <button type="button" class="button" onClick={() => void answer(ring, true)}>
          <Icon name="video" />
          {strings.calls.answerVideo}
        </button>
        <button
          type="button"
          class="button button-accept"
          aria-keyshortcuts="Alt+Enter"
          onClick={() => void answer(ring, false)}
        >
          <Icon name="phone" />
          {strings.calls.answer}
        </button>
      </div>
    </section>
  )
}

/** Time since the ring began, in s; 0 when the clocks of client and server evidently differ. */
function elapsed({ rings_until }: RunningCallPayload) {
  const since = Date.now() / 1000 - ((rings_until ?? 0) - RING_TIME)
  return since > 0 && since < RING_TIME - 5 ? since : 0
}

/** Nothing for a conversation with the caller alone, nor for a channel that the viewer cannot read. */
function placeOf({ channel, initiator }: RunningCallPayload): string[] {
  if (!canRead(channel)) return []
  const others = othersIn(channel)
  if (isDm(channel)) {
    if (others.length === 1 && others[0] === initiator) return []
    return [strings.calls.where(plainName(channel), others.length + 1)]
  }
  const known = channelOf(channel).members.value.length
  return [known > 0 ? strings.calls.where(plainName(channel), known + 1) : plainName(channel)]
}
