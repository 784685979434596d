/**
 * The EventSource of this tab, following the open channel from its cursor. A stream that opens and stays silent is held
 * back by a proxy; one that is refused exceeds a limit. Then the client polls (polling.ts) and retries the stream now
 * and then.
 */
import { effect, untracked } from '@preact/signals'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { type Channel, current, everyChannel } from '../store/channels.ts'
import { held } from '../store/held.ts'
import { report } from '../store/reports.ts'
import { connection, session } from '../store/store.ts'
import * as endpoints from './endpoints.ts'
import { tolerateFailure } from './failure.ts'
import { enqueue, eventNames, flush, onMisfit, told } from './frames.ts'
import { isPolling, pollNow, startPolling, stopPolling } from './polling.ts'
import { refreshLooks } from './profiles.ts'
import { lookForNewerClient } from './service-worker.ts'

/** Streams end every few minutes by design and are back after three seconds: no notice for that. */
const LOST_AFTER: Milliseconds = 4_000
const DEAD_AFTER: Milliseconds = 30_000
const RECONNECTS_AFTER: Milliseconds = 3_000
/** The server evaluates everything on its first tick: a live stream has sent a frame by then. */
const SPEAKS_WITHIN: Milliseconds = 3_500
const GIVEN_UP_AFTER: Milliseconds = 10_000
/** On a network that drops packets silently no error is ever reported. */
const HANGS_AFTER: Milliseconds = 20_000
const TRIED_AGAIN: Milliseconds[] = [15_000, 30_000, 60_000]
const LONGEST_TRIAL: Milliseconds = 120_000
/** Silence for this long is either normal or a dead connection. */
const QUIET_FOR: Milliseconds = 45_000
const FRAME_FOLLOWS: Milliseconds = 2_500
/** The server ends a stream after at most 360 seconds; an older one hangs at a proxy. */
const LONGEST_LIFE: Milliseconds = 375_000
/** Bounds reconnects after deltas that do not match. */
const MISFIT_RETRY: Milliseconds = 10_000
const CROWDED_RETRY: Milliseconds = 10_000
const CROWDED_POLL: Milliseconds = 5_000
const LONGEST_WAIT: Milliseconds = 15_000
/** Removals are sent for a day (decisions, Delete account): after a longer absence rows are reloaded. */
const REMOVALS_KNOWN: Milliseconds = 20 * 3_600_000

let source: EventSource | undefined
/** Channel of this stream. */
let followedId: ChannelId | undefined
/** Time at which this stream was opened, or opens next. */
let openedAt = 0
/** True once this stream has sent a frame. */
let hasSpoken = false
/** Time of the last sign of life of the server. */
let heardAt = Date.now()
let downSince: number | undefined
let failures = 0
let trials = 0
let retry: ReturnType<typeof setTimeout> | undefined
let onBack = () => {}
/** `back` is called whenever the server is reachable again. */
export function startStream(back: () => void) {
  onBack = back
  effect(() => {
    const channel = current.value
    const state = channel?.state.value
    void channel?.kept.value
    // Until its rows are loaded the stream would send the whole history; the old stream continues until then.
    if (state !== 'new' && state !== 'loading') untracked(follow)
  })
  onMisfit(reload)
  setInterval(watch, 1_000)
  addEventListener('online', reopen)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    if (downSince !== undefined) reopen()
    else if (isPolling()) pollNow()
  })
}

/** Follows another channel, or none. Opens no stream for it while polling. */
function follow() {
  if (source && followedId === followed()?.id) return
  if (isPolling() && !source) pollNow()
  else open()
}

/** A frame is missing: polls or opens a new stream. */
export function refresh() {
  if (isPolling()) pollNow()
  else reopen()
}

export function reopen() {
  failures = 0
  trials = 0
  open()
}

/** Undefined for cached rows, which are reloaded first; meanwhile the stream sends everything else. */
function followed(): Channel | undefined {
  const channel = current.peek()
  return channel?.state.peek() === 'ready' && !channel.kept.peek() ? channel : undefined
}

let reloadedAt = Number.NEGATIVE_INFINITY
let reloading: ReturnType<typeof setTimeout> | undefined

/** The mismatched state is already dropped, so a new stream sends it whole. */
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
  const cursor = channel?.liveWindow.peek()?.cursor ?? 0
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
    // The browser would reconnect to the same address, with an outdated `known`.
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

/** Only received frames count: a proxy may open a stream and hold back its content. */
function speaks() {
  hasSpoken = true
  openedAt = Date.now()
  trials = 0
  stopPolling()
  isBack()
  connection.value = 'up'
}

function isBack() {
  failures = 0
  downSince = undefined
  heardAt = Date.now()
  onBack()
  void lookForNewerClient()
  void refreshLooks()
}

/** EventSource gives up on any response but a stream: an ended session, too many tabs, a server error. */
async function refused(stream: EventSource) {
  const status = await statusOfStream()
  if (stream !== source || session.peek() === 'ended') return
  source = undefined
  failures++
  if (status === 429) {
    poll(CROWDED_POLL, 'crowded')
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

/** Requests the stream by `fetch` to see the status. A redirect to the login page ends the session here, too. */
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

function poll(every: Milliseconds | undefined, state: 'up' | 'crowded') {
  if (hasSpoken) return
  startPolling(isThere => {
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

/** The stream is silent: checks whether the server or the path is at fault. */
async function suspect(stream: EventSource) {
  if (await serverAnswers()) {
    if (stream === source && !hasSpoken) poll(undefined, 'up')
  }
}

/** After a long silence: if the server's unread count differs from that of the stream, the stream is dead. */
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
    tolerateFailure(error)
    return undefined
  } finally {
    isProbing = false
  }
}

/** All channel rows are too old: they are reloaded before a stream follows them. */
function distrustAll() {
  for (const channel of everyChannel()) if (channel.liveWindow.peek()) channel.kept.value = true
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
    report({ what: 'connection-lost' })
  } else if (down > LOST_AFTER && (connection.peek() === 'up' || connection.peek() === 'crowded')) {
    connection.value = 'lost'
  }
}
