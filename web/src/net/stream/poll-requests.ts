/** A round of polling (polling.ts): the payloads of the stream (interface 6), most urgent first. */
import { batch } from '@preact/signals'
import { MOST_RECEIPTS } from '#shared/domain/deltas.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import { type Channel, current } from '../../store/channels/channels.ts'
import { considerReading } from '../channels/read-marker.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { apply, type Payloads } from './frames.ts'

const FIRST_ROWS = 60

/** The channel whose rows are loaded and not from the cache. */
export function readyChannel(): Channel | undefined {
  const channel = current.peek()
  return channel?.state.peek() === 'ready' && !channel.isStale.peek() ? channel : undefined
}

type Apply = () => void

/** Each request may fail by itself. A refusal, for example of a lost channel, is also a response. */
export async function requestRound(isCalm: boolean): Promise<boolean> {
  const channel = readyChannel()
  const requests = [...(channel ? [messagesOf(channel)] : []), ...payloadsOf(channel, isCalm)]
  const settled = await Promise.allSettled(requests)
  batch(() => {
    for (const one of settled) if (one.status === 'fulfilled') one.value()
  })
  considerReading()
  let hasResponse = false
  for (const one of settled) {
    if (one.status === 'fulfilled') hasResponse = true
    else {
      const { reason } = one
      tolerateFailure(reason)
      if (reason.status > 0 && reason.status < 500) hasResponse = true
    }
  }
  return hasResponse
}

async function messagesOf(channel: Channel): Promise<Apply> {
  const cursor = channel.liveWindow.peek()?.cursor ?? 0
  const rows = await (cursor > 0
    ? endpoints.messagesAfter(channel.id, cursor)
    : endpoints.newestMessages(channel.id, FIRST_ROWS))
  return () => rows.length > 0 && apply('messages', rows, channel)
}

function payloadsOf(channel: Channel | undefined, isCalm: boolean): Promise<Apply>[] {
  const request = async <E extends EventName & keyof Payloads>(name: E, path: string): Promise<Apply> => {
    const payload = await endpoints.json<Payloads[E]>(path)
    return () => apply(name, payload, channel)
  }
  const requests = [request('running_calls', '/running_calls'), request('dms', '/dms')]
  requests.push(request('channel_unreads', '/channel_unreads'))
  if (channel) requests.push(request('typing', `/typing/${encodeURIComponent(channel.id)}`))
  if (!isCalm) return requests
  requests.push(request('private_channels', '/private_channels'), request('mentions', '/mentions'))
  requests.push(request('online_users', '/online_users'), request('sidebar', '/sidebar'))
  requests.push(request('inbox', '/inbox'), request('workspace', '/workspace'), request('me', '/me'))
  requests.push(request('people', '/people_changes'))
  if (channel) {
    const id = encodeURIComponent(channel.id)
    requests.push(request('read_receipts', `/read_receipts/${id}?most=${MOST_RECEIPTS}`))
    requests.push(request('screenshares', `/screenshare/active?channel=${id}`))
  }
  return requests
}
