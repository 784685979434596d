/** The running call of the open channel, for late joiners (decisions, Calls). */
import { effect, signal, untracked } from '@preact/signals'
import type { CallStatePayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { json } from '../../net/endpoints.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { current } from '../../store/channels.ts'
import { incoming, ongoing } from './open-calls.ts'

/** Skips channels passed through, and waits for the viewer's own leaving to reach the server. */
const SETTLES: Milliseconds = 400
/** Only while a call runs: an idle client sends no requests. */
const LOOK_AGAIN: Milliseconds = 10_000

export const goingOn = signal<CallStatePayload | undefined>(undefined)

/** Channels with other people, who could answer. */
export const isCallable = (channel: ChannelId) =>
  channel.startsWith('private:') || (channel.startsWith('dm:') && channel.split(':').length > 2)

/** Calls known to be over, even if a late response still lists them. */
export const over = new Set<string>()

/** A new call rings everybody who may join it, so every change of the rings triggers a request. */
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
    tolerateFailure(error)
    // Retried when the server is back, if there was a call.
    if (goingOn.peek()) goingOn.value = { ...goingOn.peek()! }
  }
}
