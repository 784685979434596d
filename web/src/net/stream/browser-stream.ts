/** The stream of this tab: an EventSource, and polling where none gets through. */
import { effect, untracked } from '@preact/signals'
import { current, everyChannel } from '../../store/channels/channels.ts'
import { held } from '../../store/held.ts'
import { report } from '../../store/reports.ts'
import { connection, session } from '../../store/store.ts'
import { systemClock } from '../requests/clock.ts'
import * as endpoints from '../requests/endpoints.ts'
import { Failure, tolerateFailure } from '../requests/failure.ts'
import { enqueue, eventNames, flush, fromStream, onMisfit } from './frames.ts'
import { readyChannel, requestRound } from './poll-requests.ts'
import { Poller } from './polling.ts'
import { type Connection, type StreamListener, StreamSupervisor } from './stream.ts'

const page = {
  clock: systemClock,
  random: Math.random,
  hasSession: () => session.peek() !== 'ended',
  isHidden: () => document.hidden,
}

export const stream = new StreamSupervisor({
  ...page,
  connect,
  followed: () => readyChannel()?.id,
  poller: new Poller({ ...page, request: requestRound }),
  requestUnread,
  streamUnread: () => fromStream.unread,
  requestStatus,
  expireRows,
  connection,
  report,
})

/** `onBack` is called whenever the server is reachable again. */
export function startStream(onBack: () => void) {
  stream.start(onBack)
  effect(() => {
    const channel = current.value
    const state = channel?.state.value
    void channel?.isStale.value
    // Until its rows are loaded the stream would send the whole history; the old stream continues until then.
    if (state !== 'new' && state !== 'loading') untracked(() => stream.follow())
  })
  onMisfit(() => stream.reload())
  addEventListener('online', () => stream.reopen())
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) stream.wake()
  })
}

function connect(listener: StreamListener): Connection {
  // The cursor and the hashes count queued frames.
  flush()
  const channel = readyChannel()
  const cursor = channel?.liveWindow.peek()?.cursor ?? 0
  const source = new EventSource(endpoints.eventsAddress(channel?.id, cursor, held.opened(channel?.id)))
  source.onerror = () => listener.onError(source.readyState === EventSource.CLOSED)
  for (const name of eventNames)
    source.addEventListener(name, event => listener.onFrame(() => enqueue(name, event, channel)))
  return { channel: channel?.id, close: () => source.close() }
}

async function requestUnread(): Promise<number | undefined> {
  try {
    return (await endpoints.unreadCount()).count
  } catch (error) {
    tolerateFailure(error)
    return undefined
  }
}

/** By `fetch`: an EventSource does not show it. A redirect to the login page ends the session here, too. */
async function requestStatus(): Promise<number> {
  try {
    await endpoints.unreadCount()
    const abort = new AbortController()
    const response = await fetch('/events', {
      redirect: 'manual',
      signal: abort.signal,
      headers: { Accept: 'text/event-stream' },
    })
    abort.abort()
    return response.status
  } catch (error) {
    return error instanceof Failure ? error.status : 0
  }
}

/** Cached rows are reloaded before a stream follows them. */
function expireRows() {
  for (const channel of everyChannel()) if (channel.liveWindow.peek()) channel.isStale.value = true
}
