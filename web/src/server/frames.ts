/** What a payload means for the screen, whether a stream or a question has brought it. */
import { batch } from '@preact/signals'
import type { EventName, EventPayloads } from '#shared/rules/payloads.ts'
import type { Seconds } from '#shared/rules/units.ts'
import { incoming, shares } from '../calls/calls.ts'
import { announceMessages } from '../feedback/announce-messages.ts'
import { type Channel, channelOf } from '../store/channels.ts'
import { isNotice } from '../store/items.ts'
import { trimmed, withFrame } from '../store/messages.ts'
import { isPrivate } from '../store/names.ts'
import { byName } from '../store/selectors.ts'
import { channelUnreads, dms, mentions, onlineUsers, viewer } from '../store/store.ts'
import { nextFrame } from '../ui/next-frame.ts'
import { loadMembers } from './open-channel.ts'
import { settleFrame } from './outbox.ts'
import { takePrivateChannels } from './private-channels.ts'
import { considerReading, isEndInView } from './read-marks.ts'

const MOST_ROWS = 400
const KEPT_ROWS = 200

type Frame<E extends EventName> = (
  payload: EventPayloads[E],
  channel: Channel | undefined,
  cursor: Seconds,
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

export const eventNames = Object.keys(onFrame) as EventName[]

/** The channel is the one that was asked about, which may have been left in the meantime. */
export function apply<E extends EventName>(
  name: E,
  payload: EventPayloads[E],
  channel: Channel | undefined,
  cursor: Seconds = 0,
) {
  const take = onFrame[name] as Frame<E> | undefined
  take?.(payload, channel && channelOf(channel.id), cursor)
}

const queue: (() => void)[] = []
let flushing = false

/** All frames of a moment become one change of the screen. */
export function enqueue(name: EventName, event: MessageEvent<string>, channel: Channel | undefined) {
  queue.push(() => apply(name, JSON.parse(event.data), channel, Number(event.lastEventId) || 0))
  if (flushing) return
  flushing = true
  nextFrame(flush)
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
  announceMessages(fresh)
}

function setOf<T>(target: { value: T } | undefined, value: T) {
  if (target) target.value = value
}
