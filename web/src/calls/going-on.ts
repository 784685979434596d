/** The call that goes on in the open channel, whoever is in it: for those who come later (decisions, Calls). */
import { effect, signal, untracked } from '@preact/signals'
import type { CallStatePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Milliseconds } from '#shared/rules/units.ts'
import { Failure, json } from '../server/endpoints.ts'
import { current } from '../store/channels.ts'
import { incoming, ongoing } from './calls.ts'

/** Only while there is one: an idle client asks nothing. */
const LOOK_AGAIN: Milliseconds = 10_000

export const goingOn = signal<CallStatePayload | undefined>(undefined)

/** Somebody else must be there who could answer. */
export const isCallable = (channel: ChannelId) =>
  channel.startsWith('private:') || (channel.startsWith('dm:') && channel.split(':').length > 2)

/** A call that begins rings for everybody who may join it, so a change of the rings is when to look. */
export function followCalls() {
  effect(() => {
    const channel = current.value
    void incoming.value
    void ongoing.value
    untracked(() => {
      if (goingOn.peek()?.channel !== channel?.id) goingOn.value = undefined
      if (channel && isCallable(channel.id)) void look(channel.id)
    })
  })
  effect(() => {
    const call = goingOn.value
    if (!call) return
    const timer = setTimeout(() => void look(call.channel), LOOK_AGAIN)
    return () => clearTimeout(timer)
  })
}

async function look(channel: ChannelId) {
  try {
    const [call] = await json<CallStatePayload[]>(`/calls/active?channel=${encodeURIComponent(channel)}`)
    if (current.peek()?.id === channel) goingOn.value = call
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Looked for again when the server is back, if there was one.
    if (goingOn.peek()) goingOn.value = { ...goingOn.peek()! }
  }
}
