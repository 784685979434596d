/**
 * Messages that texts link to, reply to or forward, whatever the number of places. Frames of the open channel bring its
 * changes at once. Others in view are asked for again by one request for all, which returns those that changed.
 */
import { effect, type Signal } from '@preact/signals'
import { changeTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { current } from '../../store/channels/channels.ts'
import { type Found, inView, knownMessages, linkedMessage } from '../../store/messages/linked-messages.ts'
import { report } from '../../store/reports.ts'
import { hashOf } from '../../store/route.ts'
import { isConnected, privateChannels, publicChannels } from '../../store/store.ts'
import { BackingOff } from '../requests/backing-off.ts'
import { Batches } from '../requests/batches.ts'
import { systemClock } from '../requests/clock.ts'
import { linkedMessages } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { onRows } from './reply-counts.ts'

/** Time after which a message in view is requested again: it may have changed, or be readable no more. */
const FRESH: Milliseconds = 15_000
/** The same while nothing changes. */
const LONGEST: Milliseconds = 60_000
const receivedAt = new WeakMap<Signal<Found>, Milliseconds>()

/** The mark of the row that the server returned last. */
const marks = new WeakMap<Signal<Found>, string>()
const batches = new Batches(ask, { most: 50, gather: 30 })
/** Number of responses that told of a change. */
let changes = 0

export async function wantLinkedMessage(id: number): Promise<Found> {
  const found = linkedMessage(id)
  if (performance.now() - (receivedAt.get(found) ?? -Infinity) > FRESH) await batches.want(id)
  return found.peek()
}

async function ask(ids: number[]) {
  const since = performance.now()
  try {
    const {
      items,
      unreadable,
      left = [],
    } = await linkedMessages(ids.map(id => [id, marks.get(linkedMessage(id))] as const))
    if (items.length > 0 || unreadable.some(id => linkedMessage(id).peek() !== 'unreadable')) changes++
    for (const { mark, message } of items) {
      const found = linkedMessage(message.id)
      marks.set(found, mark)
      take(found, message)
    }
    for (const id of unreadable) hide(linkedMessage(id), 'unreadable')
    for (const id of ids) if (!left.includes(id)) receivedAt.set(linkedMessage(id), since)
    // Shorter each time: a response has at least one of them.
    if (left.length > 0) await ask(left)
  } catch (error) {
    // The next one in view asks again.
    tolerateFailure(error)
  }
}

function hide(found: Signal<Found>, instead: 'unreadable' | undefined) {
  marks.delete(found)
  found.value = instead
}

/** A frame may be newer than the response. Counts of replies change without a change of the row. */
function take(found: Signal<Found>, row: MessagePayload) {
  const before = found.peek()
  if (typeof before === 'object' && changeTime(before) > changeTime(row)) return
  if (JSON.stringify(before) !== JSON.stringify(row)) found.value = row
}

const again = new BackingOff({
  clock: systemClock,
  random: Math.random,
  least: FRESH,
  most: LONGEST,
  request: async () => {
    const before = changes
    await forOthers(id => batches.want(id))
    return changes !== before
  },
})

/** Keeps a message that is in view up to date. Returns the function for when it is in view no more. */
export function followLinkedMessage(id: number): () => void {
  inView.set(id, (inView.get(id) ?? 0) + 1)
  void wantLinkedMessage(id)
  again.start()
  return () => {
    const others = (inView.get(id) ?? 1) - 1
    if (others > 0) inView.set(id, others)
    else inView.delete(id)
    if (inView.size === 0) again.stop()
  }
}

/** Requests at once: the tab is visible again. */
function requestNow() {
  if (document.hidden || inView.size === 0) return
  void forOthers(wantLinkedMessage)
  again.start()
}

document.addEventListener('visibilitychange', requestNow)
addEventListener('focus', requestNow)

/** Messages in view that no frames tell of. */
async function forOthers(request: (id: number) => Promise<unknown>) {
  if (document.hidden) return
  await Promise.all([...inView.keys()].filter(id => !hasFrames(id)).map(request))
}

/** Frames bring the changes of the open channel: a channel full of replies must not ask for each again. */
function hasFrames(id: number): boolean {
  const row = knownMessages.get(id)?.peek()
  return typeof row === 'object' && isConnected() && current.peek()?.id === row.channel
}

onRows((_, rows) => {
  for (const row of rows) {
    const found = knownMessages.get(row.id)
    if (found?.peek() === undefined) continue
    take(found, row)
    receivedAt.set(found, performance.now())
  }
})

// Texts of a channel that the viewer has lost are hidden at once, and shown again if they are readable still.
let before: readonly ChannelId[] = []
effect(() => {
  const now = [...publicChannels.value, ...privateChannels.value.map(one => one.channel)]
  const lost = before.filter(channel => !now.includes(channel))
  before = now
  if (lost.length > 0) hideMessagesOf(lost)
})

function hideMessagesOf(channels: readonly ChannelId[]) {
  for (const [id, found] of knownMessages) {
    const row = found.peek()
    if (typeof row !== 'object' || !channels.includes(row.channel)) continue
    hide(found, undefined)
    receivedAt.delete(found)
    if (inView.has(id)) void wantLinkedMessage(id)
  }
}

/** Opens a message whose channel is not known yet. */
export async function openLinkedMessage(id: number) {
  const found = await wantLinkedMessage(id)
  if (found === undefined || found === 'unreadable') report({ what: 'message-missing' })
  else location.hash = hashOf(found.channel, found.id)
}
