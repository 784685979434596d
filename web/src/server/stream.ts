/** The one stream of this tab: follows the open channel from its cursor, and writes each payload under its name. */
import { batch, effect, untracked } from '@preact/signals'
import type { EventName, EventPayloads, MessagePayload } from '#shared/rules/payloads.ts'
import { incoming, shares } from '../calls/calls.ts'
import { announce } from '../feedback/feedback.ts'
import { type Channel, channelOf, current } from '../store/channels.ts'
import { isNotice } from '../store/items.ts'
import { trimmed, withFrame } from '../store/messages.ts'
import { isPrivate } from '../store/names.ts'
import { preferred } from '../store/preferences.ts'
import { byName, concerns } from '../store/selectors.ts'
import { channelUnreads, connection, dms, mentions, onlineUsers, session, viewer } from '../store/store.ts'
import { words } from '../words.ts'
import * as endpoints from './endpoints.ts'
import { lookForNewerClient } from './install.ts'
import { refreshLooks } from './looks.ts'
import { loadMembers } from './open-channel.ts'
import { onDeafStream, resume, settleFrame } from './outbox.ts'
import { takePrivateChannels } from './private-channels.ts'
import { considerReading, isEndInView } from './read-marks.ts'

/** Streams end every few minutes by design, and the browser is back after three seconds: no word of that. */
const LOST_AFTER = 4_000
const DEAD_AFTER = 30_000
/** The server ends a stream after at most 360 seconds; one that is older hangs somewhere on the way. */
const LONGEST_LIFE = 375_000
const CROWDED_RETRY = 5_000
const LONGEST_WAIT = 15_000
const MOST_ROWS = 400
const KEPT_ROWS = 200

type Frame<E extends EventName> = (
  payload: EventPayloads[E],
  channel: Channel | undefined,
  cursor: number,
) => void

/** One line per event. Channel payloads go to the channel for which the stream was opened. */
const onFrame: { [E in EventName]?: Frame<E> } = {
  messages: (rows, channel, cursor) => channel && takeMessages(channel, rows, cursor),
  typing: (names, channel) => setOf(channel?.typing, names),
  read_receipts: (marks, channel) => setOf(channel?.receipts, byName(marks)),
  online_users: states => setOf(onlineUsers, byName(states)),
  dms: list => setOf(dms, list),
  private_channels: takePrivateChannels,
  channel_unreads: counts => setOf(channelUnreads, byName(counts)),
  mentions: list => setOf(mentions, list),
  incoming_calls: list => setOf(incoming, list),
  screenshares: (list, channel) => channel && setOf(shares, new Map(shares.peek()).set(channel.id, list)),
}

let source: EventSource | undefined
let openedAt = 0
let downSince: number | undefined
let failures = 0
let retry: ReturnType<typeof setTimeout> | undefined

export function startStream() {
  effect(() => {
    const channel = current.value
    const state = channel?.state.value
    // Until its rows are there the stream would have to tell the whole history; till then the old one goes on.
    if (state !== 'new' && state !== 'loading') untracked(() => open(state === 'ready' ? channel : undefined))
  })
  onDeafStream(reopen)
  setInterval(watch, 1_000)
  addEventListener('online', reopen)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && downSince !== undefined) reopen()
  })
}

export function reopen() {
  failures = 0
  const channel = current.peek()
  open(channel?.state.peek() === 'ready' ? channel : undefined)
}

function open(channel: Channel | undefined) {
  clearTimeout(retry)
  source?.close()
  if (session.peek() === 'ended') return
  openedAt = Date.now()
  const stream = new EventSource(endpoints.eventsAddress(channel?.id, channel?.live.peek()?.cursor ?? 0))
  source = stream
  downSince ??= Date.now()
  stream.onopen = isUp
  stream.onerror = () => {
    downSince ??= Date.now()
    if (stream === source && stream.readyState === EventSource.CLOSED) void refused(stream)
  }
  for (const name of Object.keys(onFrame) as EventName[]) {
    stream.addEventListener(name, event => {
      if (stream === source) enqueue(name, event, channel)
    })
  }
}

function isUp() {
  openedAt = Date.now()
  failures = 0
  downSince = undefined
  connection.value = 'up'
  resume()
  void lookForNewerClient()
  void refreshLooks()
}

/** The browser gives up for good on any answer but a stream: a session that is over, too many tabs, a server in trouble. */
async function refused(stream: EventSource) {
  const status = await statusOfStream()
  if (stream !== source || session.peek() === 'ended') return
  failures++
  connection.value = status === 429 ? 'crowded' : connection.peek()
  const wait = status === 429 ? CROWDED_RETRY : Math.min(1_000 * 2 ** (failures - 1), LONGEST_WAIT)
  retry = setTimeout(() => {
    if (stream === source) open(currentReady())
  }, wait)
  if (status === 429) await poll()
}

function currentReady() {
  const channel = current.peek()
  return channel?.state.peek() === 'ready' ? channel : undefined
}

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

/** While there are too many tabs: what the stream would have brought. */
async function poll() {
  const channel = currentReady()
  try {
    const [list, closed, unreads, named] = await Promise.all([
      endpoints.dms(),
      endpoints.privateChannels(),
      endpoints.channelUnreads(),
      endpoints.mentions(),
    ])
    batch(() => {
      dms.value = list
      takePrivateChannels(closed)
      channelUnreads.value = byName(unreads)
      mentions.value = named
    })
    if (channel) takeMessages(channel, await endpoints.newestMessages(channel.id, 60), 0)
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
  }
}

let lastTick = Date.now()

function watch() {
  const now = Date.now()
  const slept = now - lastTick > 20_000 && !document.hidden
  lastTick = now
  if (slept || (downSince === undefined && now - openedAt > LONGEST_LIFE)) return reopen()
  if (downSince === undefined || connection.peek() === 'crowded') return
  const down = now - downSince
  if (down > DEAD_AFTER && connection.peek() !== 'dead') {
    connection.value = 'dead'
    announce(words.announce.lost, true)
  } else if (down > LOST_AFTER && connection.peek() === 'up') {
    connection.value = 'lost'
  }
}

const queue: (() => void)[] = []
let flushing = false

/** All frames of a moment become one change of the screen. A hidden tab has no animation frames, and needs none. */
function enqueue(name: EventName, event: MessageEvent<string>, channel: Channel | undefined) {
  queue.push(() => {
    const apply = onFrame[name] as Frame<EventName>
    apply(JSON.parse(event.data), channel && channelOf(channel.id), Number(event.lastEventId) || 0)
  })
  if (flushing) return
  flushing = true
  if (document.hidden) setTimeout(flush, 0)
  else requestAnimationFrame(flush)
}

function flush() {
  flushing = false
  const jobs = queue.splice(0)
  batch(() => {
    for (const job of jobs) job()
  })
  considerReading()
}

// A tab that is hidden between a frame's arrival and the animation frame would otherwise hold it back.
document.addEventListener('visibilitychange', () => {
  if (flushing && document.hidden) flush()
})

function takeMessages(channel: Channel, rows: EventPayloads['messages'], cursor: number) {
  const log = channel.live.peek()
  if (!log) return
  const newest = log.rows.at(-1)?.ts ?? 0
  const fresh = rows.filter(row => row.ts > newest && row.sender !== viewer && row.deleted === 0)
  batch(() => {
    settleFrame(channel, rows)
    const next = withFrame(log, rows, cursor)
    // A tab that stays open for days at the end of a busy channel.
    channel.live.value = next.rows.length > MOST_ROWS && isEndInView() ? trimmed(next, KEPT_ROWS) : next
    const aside = channel.aside.peek()
    if (aside) channel.aside.value = withFrame(aside, rows, cursor)
  })
  if (fresh.length === 0) return
  // Somebody was added, or left.
  if (isPrivate(channel.id) && fresh.some(isNotice)) void loadMembers(channel)
  channel.newestAt = performance.now()
  announceRows(fresh)
}

/** For those who listen; how much of it they have chosen (ui.md 8). */
function announceRows(fresh: MessagePayload[]) {
  const choice = preferred.announcements.peek()
  if (choice === 'none') return
  const said = choice === 'all' ? fresh : fresh.filter(row => concerns(row, viewer))
  if (said.length > 3) announce(words.announce.many(said.length))
  else for (const row of said) announce(words.announce.message(row.sender, row.content || words.list.image))
}

function setOf<T>(target: { value: T } | undefined, value: T) {
  if (target) target.value = value
}
