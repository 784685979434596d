/** Applies payloads to the store, from the stream and from polling alike. */
import { batch } from '@preact/signals'
import {
  DELTA_NAMES,
  type DeltaName,
  type DeltaPayloads,
  dmsOf,
  privateChannelsOf,
} from '#shared/domain/deltas.ts'
import type { EventPayloads } from '#shared/domain/payloads/events.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { shares, takeRunningCalls } from '../../store/calls.ts'
import { reconcilePending } from '../../store/channels/channel-pending.ts'
import { type Channel, channelOf } from '../../store/channels/channels.ts'
import { isDm, isPrivate, noteNames } from '../../store/channels/names.ts'
import { held } from '../../store/held.ts'
import { isSystemMessage } from '../../store/messages/items.ts'
import { trimmed, withFrame } from '../../store/messages/messages.ts'
import { byName } from '../../store/messages/selectors.ts'
import { changePresence, replacePresence } from '../../store/people/presence.ts'
import { report } from '../../store/reports.ts'
import { takeChoices } from '../../store/sidebar/channel-choices.ts'
import { isDeferred } from '../../store/sidebar/sidebar-revision.ts'
import {
  channelUnreads,
  dms,
  inbox,
  me,
  mentions,
  peopleChanges,
  viewer,
  workspace,
} from '../../store/store.ts'
import { nextFrame } from '../../ui/next-frame.ts'
import { loadMembers } from '../channels/open-channel.ts'
import { takePrivateChannels } from '../channels/private-channels.ts'
import { considerReading, isEndInView } from '../channels/read-marker.ts'
import { noteReplies } from '../messages/reply-counts.ts'
import { checkedRows } from '../requests/checked-rows.ts'

const MOST_ROWS = 400
const KEPT_ROWS = 200

/** Rings come with `running_calls`. */
export interface Payloads extends Omit<EventPayloads, 'incoming_calls'>, DeltaPayloads {}
type Name = keyof Payloads

/** Returns false if the payload was not taken. */
type Frame<E extends Name> = (payload: Payloads[E], channel: Channel | undefined, cursor: Seconds) => unknown

/** Handlers by event. Channel payloads belong to the channel for which the stream was opened. */
const onFrame: { [E in Name]: Frame<E> } = {
  messages: (rows, channel, cursor) => channel && takeMessages(channel, checkedRows(rows), cursor),
  typing: (names, channel) => setOf(channel?.typing, names),
  read_receipts: (receipts, channel) => {
    held.forget('seen')
    if (channel) showReceipts(channel, receipts)
  },
  seen: delta => takeSeen(delta),
  online_users: states => {
    held.forget('presence')
    replacePresence(byName(states))
  },
  presence: delta => takePresence(delta),
  dms: list => {
    held.forget('lists')
    dms.value = list
  },
  private_channels: list => {
    held.forget('lists')
    takePrivateChannels(list)
  },
  unread_count: ({ count }) => {
    fromStream.unread = count
  },
  lists: delta => takeLists(delta),
  channel_unreads: counts => {
    held.forget('counts')
    channelUnreads.value = byName(counts)
  },
  counts: delta => {
    const counts = fitting('counts', delta)
    if (counts) channelUnreads.value = byName(counts)
  },
  mentions: list => setOf(mentions, list),
  running_calls: takeRunningCalls,
  sidebar: payload => !isDeferred(payload) && takeChoices(payload, true),
  inbox: page => setOf(inbox, page),
  workspace: payload => setOf(workspace, payload),
  me: payload => setOf(me, payload),
  people: payload => setOf(peopleChanges, payload),
  channel_info: (info, channel) => {
    if (!channel) return
    channel.info.value = info
    if (info.kind === 'public' || info.archived) noteNames([info])
  },
  screenshares: (list, channel) => channel && setOf(shares, new Map(shares.peek()).set(channel.id, list)),
}

export const eventNames = Object.keys(onFrame) as Name[]

/** The last value of `unread_count`. */
export const fromStream: { unread: number | undefined } = { unread: undefined }

let misfit = () => {}
/** Called when a delta does not match the state of this tab: only a new stream can send the whole state. */
export function onMisfit(listener: () => void) {
  misfit = listener
}

function fitting<N extends DeltaName>(name: N, delta: DeltaPayloads[N]) {
  const state = held.take(name, delta)
  if (!state) misfit()
  return state
}

function takePresence(delta: DeltaPayloads['presence']) {
  const states = fitting('presence', delta)
  if (!states) return
  if (delta.full) replacePresence(byName(states))
  else changePresence(Object.entries(delta.set ?? {}), delta.gone ?? [])
}

function takeSeen(delta: DeltaPayloads['seen']) {
  const state = fitting('seen', delta)
  if (!state) return
  const channel = channelOf(state.channel)
  if (state.receipts) showReceipts(channel, state.receipts)
  else channel.seen.value = new Map(state.messages.map(message => [message.id, message]))
}

/** The own marker is not among them for a viewer who does not share what they have read. */
function showReceipts(channel: Channel, shared: EventPayloads['read_receipts']) {
  const receipts = byName(shared)
  const own = channel.receipts.peek().get(viewer)
  if (own !== undefined && !receipts.has(viewer)) receipts.set(viewer, own)
  channel.receipts.value = receipts
  channel.seen.value = undefined
}

/** Leaves the unchanged half alone, so that it is not rendered again. */
function takeLists(delta: DeltaPayloads['lists']) {
  const state = fitting('lists', delta)
  if (!state) return
  fromStream.unread = state.unread
  const changed = [...(delta.set ?? []).map(entry => entry.channel), ...(delta.gone ?? [])]
  if (delta.full || changed.some(isDm)) dms.value = dmsOf(state)
  if (delta.full || !changed.every(isDm)) takePrivateChannels(privateChannelsOf(state))
}

/** `channel` is the one of the request; the viewer may have left it since. */
export function apply<E extends Name>(
  name: E,
  payload: Payloads[E],
  channel: Channel | undefined,
  cursor: Seconds = 0,
  text?: string,
) {
  const take = onFrame[name] as Frame<E>
  const isTaken = take(payload, channel && channelOf(channel.id), cursor) !== false
  if (!isDelta(name)) held.noteEvent(name, isTaken ? text : undefined)
}

const isDelta = (name: Name): name is DeltaName => (DELTA_NAMES as readonly string[]).includes(name)

const queue: (() => void)[] = []
let flushing = false

/** Applies all frames of an animation frame in one batch. */
export function enqueue(name: Name, event: MessageEvent<string>, channel: Channel | undefined) {
  const { data, lastEventId } = event
  queue.push(() => apply(name, JSON.parse(data), channel, Number(lastEventId) || 0, data))
  if (flushing) return
  flushing = true
  nextFrame(flush)
}

/** Applies queued frames at once, before the state of this tab is read. */
export function flush() {
  flushing = false
  if (queue.length === 0) return
  const jobs = queue.splice(0)
  batch(() => {
    for (const job of jobs) withoutStopping(job)
  })
  considerReading()
}

/** A malformed frame must not hold back the frames after it. */
function withoutStopping(job: () => void) {
  try {
    job()
  } catch (error) {
    reportError(error)
  }
}

// A tab that is hidden before the next animation frame would otherwise delay the queued frames.
document.addEventListener('visibilitychange', () => {
  if (flushing && document.hidden) flush()
})

function takeMessages(channel: Channel, rows: EventPayloads['messages'], cursor: number) {
  const live = channel.liveWindow.peek()
  if (!live) return
  const newest = live.rows.at(-1)?.ts ?? 0
  const fresh = rows.filter(row => row.ts > newest && row.sender !== viewer && row.deleted === 0)
  batch(() => {
    noteReplies(channel, rows)
    const reconciled = reconcilePending(channel, rows)
    const next = withFrame(live, reconciled, cursor)
    // Bounds a tab that stays open for days at the end of a busy channel.
    channel.liveWindow.value = next.rows.length > MOST_ROWS && isEndInView() ? trimmed(next, KEPT_ROWS) : next
    const detached = channel.historyWindow.peek()
    if (detached) channel.historyWindow.value = withFrame(detached, reconciled, cursor)
  })
  if (fresh.length === 0) return
  // A member was added, or left.
  if (isPrivate(channel.id) && fresh.some(isSystemMessage)) void loadMembers(channel)
  channel.newestAt = performance.now()
  report({ what: 'messages-arrived', rows: fresh })
}

function setOf<T>(target: { value: T } | undefined, value: T) {
  if (target) target.value = value
}
