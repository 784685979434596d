/** Keeps `channelCall` up to date. */
import { effect, untracked } from '@preact/signals'
import type { CallStatePayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { json } from '../../net/endpoints.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { channelCall, incoming, isCallable, ownCallChannel } from '../../store/calls.ts'
import { current } from '../../store/channels.ts'

/** Skips channels passed through, and waits for the viewer's own leaving to reach the server. */
const SETTLES: Milliseconds = 400
/** Only while a call runs: an idle client sends no requests. */
const LOOK_AGAIN: Milliseconds = 10_000

/** Calls known to be over, even if a late response still lists them. */
export const endedCalls = new Set<string>()

/** A new call rings everybody who may join it, so every change of the rings triggers a request. */
export function followChannelCall() {
  effect(() => {
    const channel = current.value
    void incoming.value
    const own = ownCallChannel.value
    untracked(() => {
      const known = channelCall.peek()
      if (known?.channel !== channel?.id || endedCalls.has(known?.call_id ?? ''))
        channelCall.value = undefined
    })
    if (own === channel?.id || !channel || !isCallable(channel.id)) return
    const timer = setTimeout(() => void look(channel.id), SETTLES)
    return () => clearTimeout(timer)
  })
  effect(() => {
    const call = channelCall.value
    if (!call) return
    const timer = setTimeout(() => void look(call.channel), LOOK_AGAIN)
    return () => clearTimeout(timer)
  })
}

async function look(channel: ChannelId) {
  try {
    const [call] = await json<CallStatePayload[]>(`/running_calls?channel=${encodeURIComponent(channel)}`)
    if (current.peek()?.id === channel)
      channelCall.value = call && endedCalls.has(call.call_id) ? undefined : call
  } catch (error) {
    tolerateFailure(error)
    // Retried when the server is back, if there was a call.
    if (channelCall.peek()) channelCall.value = { ...channelCall.peek()! }
  }
}
