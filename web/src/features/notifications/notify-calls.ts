/** Shows a call on the desktop only while no tab has the focus: a focused tab shows its card (ui.md 6.6). */
import { effect } from '@preact/signals'
import type { RunningCallPayload } from '#shared/domain/payloads/calls.ts'
import { strings } from '../../i18n/i18n.ts'
import { leads } from '../../net/tabs/leader.ts'
import { inFront } from '../../net/tabs/tabs.ts'
import { incoming } from '../../store/calls.ts'
import { nameOf } from '../../store/channels/names.ts'
import { displayed, statusOf } from '../../store/people/people.ts'
import { choicesNow } from '../../store/preferences/preferences.ts'
import { hashOf } from '../../store/route.ts'
import { viewer } from '../../store/store.ts'
import { popUp, takeAway } from './desktop.ts'
import { outcomeOf, placeOf } from './outcomes.ts'

export function startNotifyingCalls() {
  const leading = leads('notify')
  const shown = new Set<string>()
  effect(() => {
    const rings = incoming.value
    for (const id of shown) {
      if (rings.some(ring => ring.call_id === id)) continue
      shown.delete(id)
      void takeAway(tagOf(id))
    }
    for (const ring of rings) {
      const place = placeOf(ring.channel, inFront.value)
      if (!leading.value || shown.has(ring.call_id)) continue
      if (statusOf(viewer)?.quiet) continue
      if (!outcomeOf('call', ring.channel, place, choicesNow(), Date.now()).desktop) continue
      shown.add(ring.call_id)
      void popUpCall(ring)
    }
  })
}

/** Silent, because the call rings already. */
async function popUpCall({ call_id, channel, initiator }: RunningCallPayload) {
  await popUp({
    title: strings.calls.isCalling(displayed(initiator)),
    body: channel.startsWith('dm:') ? '' : nameOf(channel),
    tag: tagOf(call_id),
    hash: hashOf(channel),
    calls: true,
    silent: true,
    stays: true,
  })
}

const tagOf = (call: string) => `bothy call ${call}`
