/** The call that goes on in the open channel, whoever is in it: for those who come later (decisions, Calls). */
import { effect, signal, untracked } from '@preact/signals'
import type { CallStatePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Milliseconds } from '#shared/rules/units.ts'
import { Failure, json } from '../server/endpoints.ts'
import { current } from '../store/channels.ts'
import { incoming, ongoing } from './calls.ts'

/** Channels may be passed through, and one's own leaving is on its way. */
const SETTLES: Milliseconds = 400
/** Only while there is one: an idle client asks nothing. */
const LOOK_AGAIN: Milliseconds = 10_000

export const goingOn = signal<CallStatePayload | undefined>(undefined)

/** Somebody else must be there who could answer. */
export const isCallable = (channel: ChannelId) =>
  channel.startsWith('private:') || (channel.startsWith('dm:') && channel.split(':').length > 2)

/** Calls that this tab knows to be over, whatever an answer under way still says. */
export const over = new Set<string>()

/** A call that begins rings for everybody who may join it, so a change of the rings is when to look. */
export function followCalls() {
  effect(() => {
    const channel = current.value
    void incoming.value
    const own = ongoing.value
    untracked(() => {
      const known = goingOn.peek()
      if (known?.channel !== channel?.id || over.has(known?.call_id ?? '')) goingOn.value = undefined
    })
    if (own?.channel === channel?.id || !channel || !isCallable(channel.id)) return
    const timer = setTimeout(() => void look(channel.id), SETTLES)
    return () => clearTimeout(timer)
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
    const [call] = await json<CallStatePayload[]>(`/running_calls?channel=${encodeURIComponent(channel)}`)
    if (current.peek()?.id === channel) goingOn.value = call && over.has(call.call_id) ? undefined : call
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Looked for again when the server is back, if there was one.
    if (goingOn.peek()) goingOn.value = { ...goingOn.peek()! }
  }
}
