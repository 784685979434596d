/**
 * Counts of replies to the loaded messages (interface 10.8). Requested once for rows of a page; new messages and replies
 * come by frames and are counted here, so that a reply does not cost each tab a request.
 */
import { effect, untracked } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { type Channel, current } from '../store/channels.ts'
import { withReply } from '../store/reply-counts.ts'
import * as endpoints from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

/** Ids per request (interface 10.8). */
const MOST_IDS = 200
/** Rows of one page arrive together. */
const GATHERED_FOR: Milliseconds = 50
/** Rows wait this long for their counts. */
const WAITED_FOR: Milliseconds = 2_000
/** Spreads the requests of all tabs after a reply was deleted. */
const SPREAD: Milliseconds = 3_000

/** Messages whose counts are known or requested, of the open channel. */
let requested = new Set<number>()
let inFlight = new Set<number>()
let isWaiting = false

export function startReplyCounts() {
  effect(() => {
    void current.value
    requested = new Set()
    inFlight = new Set()
  })
  effect(() => {
    const channel = current.value
    if (channel?.state.value !== 'ready' || channel.isStale.value) return
    void channel.liveWindow.value
    void channel.historyWindow.value
    untracked(() => {
      if (idsMissing(channel).length > 0) requestSoon(GATHERED_FOR)
    })
  })
}

/** Called with the rows of a frame before they are merged. */
export function noteReplies(channel: Channel, rows: MessagePayload[], newest: Seconds) {
  if (channel !== current.peek()) return
  const counts = new Map(channel.replyCounts.peek())
  for (const row of rows) {
    const isNew = row.ts > newest
    // Its replies will come by frames too.
    if (isNew) requested.add(row.id)
    const parent = row.reply_to_id
    if (parent === null || !requested.has(parent)) continue
    if (row.deleted === 1 || inFlight.has(parent)) {
      requested.delete(parent)
      requestSoon(Math.random() * SPREAD)
    } else if (isNew) counts.set(parent, withReply(counts.get(parent), row))
  }
  channel.replyCounts.value = counts
}

function requestSoon(wait: Milliseconds) {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    const channel = current.peek()
    if (channel) void request(channel)
  }, wait)
}

function idsMissing(channel: Channel): number[] {
  const rows = [...(channel.historyWindow.peek()?.rows ?? []), ...(channel.liveWindow.peek()?.rows ?? [])]
  return idsOf(rows)
}

function idsOf(rows: readonly MessagePayload[]): number[] {
  const ids = rows.filter(row => row.content_type === 'text' && row.id > 0).map(row => row.id)
  return [...new Set(ids)].filter(id => !requested.has(id))
}

/**
 * Reads the counts of rows that are about to be shown, because a count that comes later moves the rows below it.
 * Resolves without them when the server takes long.
 */
export async function countReplies(channel: Channel, rows: MessagePayload[]) {
  const ids = idsOf(rows).slice(-MOST_IDS)
  if (ids.length > 0)
    await Promise.race([readCounts(channel, ids), new Promise(resolve => setTimeout(resolve, WAITED_FOR))])
}

async function request(channel: Channel) {
  // Newest first: those in view.
  const ids = idsMissing(channel).slice(-MOST_IDS)
  if (ids.length === 0) return
  await readCounts(channel, ids)
  if (channel === current.peek() && idsMissing(channel).length > 0) requestSoon(GATHERED_FOR)
}

async function readCounts(channel: Channel, ids: number[]) {
  for (const id of ids) {
    requested.add(id)
    inFlight.add(id)
  }
  try {
    const found = await endpoints.replyCounts(channel.id, ids)
    const counts = new Map(channel.replyCounts.peek())
    for (const id of ids) {
      const count = found[id]
      if (count) counts.set(id, count)
      else counts.delete(id)
    }
    channel.replyCounts.value = counts
  } catch (error) {
    // Only the counts are missing.
    tolerateFailure(error)
  }
  for (const id of ids) inFlight.delete(id)
}
