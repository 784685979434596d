/**
 * The one stream of this tab: follows the open channel from its cursor. A stream that opens and says nothing is held back
 * by something on the way; one that is refused has no place. Then the client asks instead (polling.ts), and tries again
 * now and then.
 */
import { effect, untracked } from '@preact/signals'
import type { ChannelId, Milliseconds } from '#shared/rules/units.ts'
import { announce } from '../feedback/feedback.ts'
import { type Channel, current, everyChannel } from '../store/channels.ts'
import { held } from '../store/held.ts'
import { connection, session } from '../store/store.ts'
import { words } from '../words.ts'
import * as endpoints from './endpoints.ts'
import { enqueue, eventNames, flush, onMisfit, told } from './frames.ts'
import { lookForNewerClient } from './install.ts'
import { refreshLooks } from './looks.ts'
import { onDeafStream, resume } from './outbox.ts'

/** Streams end every few minutes by design, and the browser is back after three seconds: no word of that. */
const LOST_AFTER: Milliseconds = 4_000
const DEAD_AFTER: Milliseconds = 30_000
const RECONNECTS_AFTER: Milliseconds = 3_000
/** The server evaluates everything on its first tick: a stream that is alive has spoken by then. */
const SPEAKS_WITHIN: Milliseconds = 3_500
const GIVEN_UP_AFTER: Milliseconds = 10_000
/** On a network that swallows everything nothing ever fails. */
const HANGS_AFTER: Milliseconds = 20_000
const TRIED_AGAIN: Milliseconds[] = [15_000, 30_000, 60_000]
const LONGEST_TRIAL: Milliseconds = 120_000
/** Nothing for so long may be a quiet evening, or a line that is dead without knowing it. */
const QUIET_FOR: Milliseconds = 45_000
const FRAME_FOLLOWS: Milliseconds = 2_500
/** The server ends a stream after at most 360 seconds; one that is older hangs somewhere on the way. */
const LONGEST_LIFE: Milliseconds = 375_000
/** A frame that does not fit is a fault somewhere: it is not to make a stream of streams. */
const MISFIT_RETRY: Milliseconds = 10_000
const CROWDED_RETRY: Milliseconds = 10_000
const CROWDED_POLL: Milliseconds = 5_000
const LONGEST_WAIT: Milliseconds = 15_000
/** Removals are told for a day (decisions, Delete account): whoever was away longer reads anew. */
const REMOVALS_KNOWN: Milliseconds = 20 * 3_600_000

let source: EventSource | undefined
/** The channel that it tells of. */
let followedId: ChannelId | undefined
/** When this stream was opened, or opens itself again. */
let openedAt = 0
/** Whether this stream has said anything. */
let hasSpoken = false
/** The last time the server was heard at all. */
let heardAt = Date.now()
let downSince: number | undefined
let failures = 0
let trials = 0
let retry: ReturnType<typeof setTimeout> | undefined
let onBack = () => {}
/** Fetched by those who need it, and kept by the worker like every part of the client. */
let polling: typeof import('./polling.ts') | undefined

const isPolling = () => polling?.isPolling() ?? false

/** `back` is called whenever the server is heard again. */
export function startStream(back: () => void) {
  onBack = back
  effect(() => {
    const channel = current.value
    const state = channel?.state.value
    void channel?.kept.value
    // Until its rows are there the stream would have to tell the whole history; till then the old one goes on.
    if (state !== 'new' && state !== 'loading') untracked(follow)
  })
  onMisfit(reload)
  onDeafStream(() => (isPolling() ? polling!.pollNow() : reopen()))
  setInterval(watch, 1_000)
  addEventListener('online', reopen)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    if (downSince !== undefined) reopen()
    else if (isPolling()) polling!.pollNow()
  })
}

/** Another channel, or none. Where streams do not get through, no new one is begun for that. */
function follow() {
  if (source && followedId === followed()?.id) return
  if (isPolling() && !source) polling!.pollNow()
  else open()
}

export function reopen() {
  failures = 0
  trials = 0
  open()
}

/** Rows that this device only remembers are asked for first; meanwhile the stream tells the rest. */
function followed(): Channel | undefined {
  const channel = current.peek()
  return channel?.state.peek() === 'ready' && !channel.kept.peek() ? channel : undefined
}

let reloadedAt = Number.NEGATIVE_INFINITY
let reloading: ReturnType<typeof setTimeout> | undefined

/** What does not fit is not held any more, so that a new stream tells all of it. */
function reload() {
  clearTimeout(reloading)
  const wait = Math.max(0, reloadedAt + MISFIT_RETRY - performance.now())
  reloading = setTimeout(() => {
    reloadedAt = performance.now()
    if (source) open()
  }, wait)
}

function open() {
  clearTimeout(retry)
  source?.close()
  source = undefined
  if (session.peek() === 'ended') return
  if (Date.now() - heardAt > REMOVALS_KNOWN) distrustAll()
  flush()
  const channel = followed()
  const cursor = channel?.live.peek()?.cursor ?? 0
  const stream = new EventSource(endpoints.eventsAddress(channel?.id, cursor, held.opened(channel?.id)))
  source = stream
  followedId = channel?.id
  openedAt = Date.now()
  hasSpoken = false
  if (!isPolling()) downSince ??= openedAt
  stream.onerror = () => {
    if (stream !== source) return
    hasSpoken = false
    if (!isPolling()) downSince ??= Date.now()
    if (stream.readyState === EventSource.CLOSED) return void refused(stream)
    // The browser would ask again at the same address, whose `known` is not what this tab holds by now.
    stream.close()
    source = undefined
    openAfter(RECONNECTS_AFTER * (0.8 + 0.4 * Math.random()))
  }
  for (const name of eventNames) {
    stream.addEventListener(name, event => {
      if (stream !== source) return
      if (!hasSpoken) speaks()
      heardAt = Date.now()
      enqueue(name, event, channel)
    })
  }
}

/** Only what comes through counts: a proxy may well open a stream and hold back all that it says. */
function speaks() {
  hasSpoken = true
  openedAt = Date.now()
  trials = 0
  polling?.stopPolling()
  isBack()
  connection.value = 'up'
}

function isBack() {
  failures = 0
  downSince = undefined
  heardAt = Date.now()
  resume()
  onBack()
  void lookForNewerClient()
  void refreshLooks()
}

/** The browser gives up for good on any answer but a stream: a session that is over, too many tabs, a server in trouble. */
async function refused(stream: EventSource) {
  const status = await statusOfStream()
  if (stream !== source || session.peek() === 'ended') return
  source = undefined
  failures++
  if (status === 429) {
    void poll(CROWDED_POLL, 'crowded')
    openAfter(CROWDED_RETRY)
  } else {
    openAfter(isPolling() ? trialWait() : Math.min(1_000 * 2 ** (failures - 1), LONGEST_WAIT))
  }
}

function openAfter(wait: Milliseconds) {
  clearTimeout(retry)
  retry = setTimeout(open, wait)
}

const trialWait = () => TRIED_AGAIN[trials++] ?? LONGEST_TRIAL

/** Asks the way an EventSource does, but sees the answer. A redirect to the login page ends the session here, too. */
async function statusOfStream(): Promise<number> {
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
    return error instanceof endpoints.Failure ? error.status : 0
  }
}

async function poll(every: Milliseconds | undefined, state: 'up' | 'crowded') {
  try {
    polling ??= await import('./polling.ts')
  } catch {
    // The network is as bad as that. The next look comes to the same end.
    return
  }
  if (hasSpoken) return
  polling.startPolling(isThere => {
    if (!isThere) {
      downSince ??= Date.now()
      return
    }
    if (downSince !== undefined) isBack()
    heardAt = Date.now()
    connection.value = state
  }, every)
}

let isProbing = false

/** Nothing is said on this stream: is that the server, or only the way? */
async function suspect(stream: EventSource) {
  if (await serverAnswers()) {
    if (stream === source && !hasSpoken) await poll(undefined, 'up')
  }
}

/** Nothing was said for long: the count that the server answers is the one that the stream told, or it is dead. */
async function probe(stream: EventSource) {
  heardAt = Date.now()
  const count = await serverAnswers()
  if (stream !== source) return
  if (!count) return reopen()
  if (count.count === told.unread) return
  setTimeout(() => {
    if (stream === source && count.count !== told.unread) reopen()
  }, FRAME_FOLLOWS)
}

async function serverAnswers(): Promise<{ count: number } | undefined> {
  isProbing = true
  try {
    return await endpoints.unreadCount()
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    return undefined
  } finally {
    isProbing = false
  }
}

/** What is shown of channels was true long ago: it is read anew before it is followed. */
function distrustAll() {
  for (const channel of everyChannel()) if (channel.live.peek()) channel.kept.value = true
}

let lastTick = Date.now()

function watch() {
  const now = Date.now()
  const slept = now - lastTick > 20_000 && !document.hidden
  lastTick = now
  if (session.peek() === 'ended') return
  if (slept) return reopen()
  if (source) watchStream(source, now)
  sayHowItIs(now)
}

function watchStream(stream: EventSource, now: Milliseconds) {
  const age = now - openedAt
  if (hasSpoken) {
    if (age > LONGEST_LIFE) reopen()
    else if (now - heardAt > QUIET_FOR && !document.hidden && !isProbing) void probe(stream)
  } else if (isPolling()) {
    if (age < GIVEN_UP_AFTER) return
    stream.close()
    source = undefined
    openAfter(trialWait())
  } else if (age > HANGS_AFTER) {
    open()
  } else if (age > SPEAKS_WITHIN && !isProbing) {
    void suspect(stream)
  }
}

function sayHowItIs(now: Milliseconds) {
  if (downSince === undefined) return
  const down = now - downSince
  if (down > DEAD_AFTER && connection.peek() !== 'dead') {
    connection.value = 'dead'
    announce(words.announce.lost, true)
  } else if (down > LOST_AFTER && (connection.peek() === 'up' || connection.peek() === 'crowded')) {
    connection.value = 'lost'
  }
}
