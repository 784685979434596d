/** Opening a channel, paging through it, and jumping to a message in it. */
import { batch, untracked } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { type Channel, channelOf, current } from '../store/channels.ts'
import { held } from '../store/held.ts'
import { isRowItem, rowsOf } from '../store/items.ts'
import {
  aroundRow,
  joined,
  type Log,
  mergeRows,
  newestPage,
  shortened,
  split,
  stretch,
  trimmed,
  withNewer,
  withOlder,
} from '../store/messages.ts'
import { isPrivate } from '../store/names.ts'
import { report } from '../store/reports.ts'
import { hashOf } from '../store/route.ts'
import { byName } from '../store/selectors.ts'
import { route, unreadIn, viewer } from '../store/store.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { paintRows } from './cache.ts'
import { isHereEarly } from './early.ts'
import * as endpoints from './endpoints.ts'
import { settleFrame } from './outbox.ts'
import { isEndInView } from './read-marks.ts'

const PAGE = 60
/** For scrolling: larger pages load the next rows before they are needed. */
const LONG_PAGE = 100
const LARGEST_PAGE = 200
/** Rows of a long history that stay when its channel is left. */
const KEPT = 120
/** Rows in memory at most: beyond it the far end is dropped and reloaded on demand. */
const MOST = 1_000
const MOST_ASIDE = 800
/** Within this time a channel reopens where it was left (ui.md 6.2). */
const PLACE_HOLDS = 60 * 60_000

export function openChannel(id: ChannelId, message?: number) {
  const channel = channelOf(id)
  const opening = current.peek() !== channel
  if (opening) {
    leave(current.peek())
    batch(() => {
      channel.newestAt = performance.now()
      channel.unreadAfter.value = undefined
      const isOld = performance.now() - (channel.place?.at ?? 0) > PLACE_HOLDS
      if (isOld || message !== undefined || unreadOf(id) > 0) forgetPlace(channel)
      current.value = channel
    })
  }
  void (async () => {
    if (opening && message === undefined && isShownAtOnce(channel)) await new Promise<void>(afterPaint)
    if (current.peek() !== channel) return
    if (opening || channel.state.peek() !== 'ready') await load(channel, message)
    else if (message !== undefined) await showMessage(channel, message)
  })()
}

/** Known rows without unread messages are shown before the server is asked for changes. */
function isShownAtOnce(channel: Channel) {
  const isKnown = channel.live.peek() !== undefined && !channel.kept.peek() && unreadOf(channel.id) === 0
  if (isKnown) channel.state.value = 'ready'
  return isKnown
}

export function closeChannel() {
  leave(current.peek())
  current.value = undefined
}

/** Keeps the newest rows and those around the reading position. */
function leave(channel: Channel | undefined) {
  if (!channel) return
  const { place } = channel
  const live = channel.live.peek()
  const shown = channel.aside.peek() ?? live
  const item = channel.items.peek().find(one => one.key === place?.key)
  const id = item && isRowItem(item) ? rowsOf(item)[0]!.row.id : undefined
  const isRecent = live?.rows.slice(-KEPT).some(row => row.id === id)
  batch(() => {
    channel.typing.value = []
    channel.reveal.value = undefined
    channel.aside.value = isRecent ? undefined : shown && aroundRow(shown, row => row.id === id, KEPT)
    if (place && (isRecent || channel.aside.value)) channel.place = { ...place, at: performance.now() }
    else forgetPlace(channel)
    if (live) channel.live.value = trimmed(live, KEPT)
  })
}

function forgetPlace(channel: Channel) {
  channel.place = undefined
  channel.aside.value = undefined
}

/**
 * Known rows are shown at once, unless there are unread messages: then the list opens at the first unread one, however
 * old. Rows from this device are shown in any case. A requested message has precedence.
 */
export async function load(channel: Channel, message?: number) {
  const unread = unreadOf(channel.id)
  const known = channel.live.peek()
  channel.state.value = !known || channel.kept.peek() || unread > 0 ? 'loading' : 'ready'
  const limit = Math.min(Math.max(PAGE, unread + 20), LARGEST_PAGE)
  const isHere = isHereEarly(endpoints.newestAddress(channel.id, limit))
  const painted = known || isHere ? undefined : paintRows(channel)
  try {
    const [rows, receipts] = await Promise.all([
      endpoints.newestMessages(channel.id, limit),
      endpoints.readReceipts(channel.id),
      loadMembers(channel),
    ])
    const marks = byName(receipts)
    const isWhole = rows.length < limit
    // A viewer who has never read a long history starts at its end, not at its beginning.
    const mark = marks.get(viewer) ?? (isWhole ? 0 : Infinity)
    const hasNew = rows.some(row => row.ts > mark && row.sender !== viewer)
    const part = await stretchToOpen(channel, rows, isWhole || !hasNew ? 0 : mark, message)
    batch(() => {
      // The stream's state of the channel is newer than this response.
      const told = held.state('seen')
      if (told?.channel !== channel.id || !told.receipts) channel.receipts.value = marks
      channel.unreadAfter.value = hasNew ? mark : undefined
      // The rows may contain messages that were sent just before the channel was left.
      settleFrame(channel, rows)
      const wasKept = channel.kept.peek()
      const isRead = wasKept && !isEndInView()
      const live = reload(wasKept ? undefined : channel.live.peek(), rows, limit)
      const whole = part && joined(part, live)
      channel.live.value = whole ?? live
      channel.kept.value = false
      // A viewer who already reads kept rows stays there.
      if (current.peek() === channel && !(isRead && message === undefined))
        channel.aside.value = whole ? undefined : part
      channel.state.value = 'ready'
      if (message !== undefined && channel.findRow(message)) channel.reveal.value = { id: message }
      else if (wasKept && hasNew && !isRead) channel.landings.value++
    })
    if (message !== undefined && !channel.findRow(message)) report({ what: 'message-missing' })
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    await painted
    const isForbidden = error.status === 403 || error.status === 404
    if (isForbidden) channel.live.value = undefined
    else if (channel.live.peek()) {
      channel.state.value = 'ready'
      return
    }
    channel.state.value = isForbidden ? 'forbidden' : 'failed'
  }
}

/**
 * The history to open instead of the newest rows: around the requested message, the first unread one, or the last
 * position.
 */
async function stretchToOpen(
  channel: Channel,
  newest: MessagePayload[],
  mark: Seconds,
  message: number | undefined,
): Promise<Log | undefined> {
  const left = channel.aside.peek()?.rows
  const id = message ?? left?.[left.length >> 1]?.id
  if (id === undefined && mark < (newest[0]?.ts ?? 0) && mark > 0)
    return stretch(await endpoints.messagesAroundTime(channel.id, mark, KEPT))
  if (id === undefined || newest.some(row => row.id === id)) return undefined
  try {
    return stretch(await endpoints.messagesAround(channel.id, id, message === undefined ? KEPT : PAGE))
  } catch (error) {
    if (error instanceof endpoints.Failure && error.status === 404) return undefined
    throw error
  }
}

/** Merges fresh rows with the known ones if they overlap; otherwise only the fresh rows stay. */
function reload(known: Log | undefined, rows: MessagePayload[], limit: number): Log {
  const fresh = newestPage(rows, limit)
  const last = known?.rows.at(-1)
  const first = fresh.rows[0]
  if (!known || !last || !first || first.ts > last.ts || fresh.complete) return fresh
  // The cursor stays: changes since then to rows before the fresh ones are still to come.
  return { ...known, rows: mergeRows(known.rows, fresh.rows) }
}

/** Private channels only; the members of other channels are known without a request. */
export async function loadMembers(channel: Channel) {
  if (!isPrivate(channel.id)) return
  try {
    channel.toldMembers.value = await endpoints.channelMembers(channel.id)
  } catch (error) {
    // Without them only completion is missing.
    if (!(error instanceof endpoints.Failure)) throw error
  }
}

const unreadOf = (id: ChannelId) => untracked(() => unreadIn(id))

const paging = new Set<Channel>()

export async function loadOlder(channel: Channel) {
  const shown = channel.aside.peek() ?? channel.live.peek()
  const first = shown?.rows[0]
  if (!shown || !first || shown.complete || paging.has(channel) || channel.kept.peek()) return
  await page(channel, async () => {
    const rows = await endpoints.messagesBefore(channel.id, first.ts, LONG_PAGE)
    const side = channel.aside.peek() ? channel.aside : channel.live
    const log = side.peek()
    if (log?.rows[0]?.id !== first.id) return
    const longer = withOlder(log, rows, LONG_PAGE)
    const parts = side === channel.live ? split(longer, MOST, MOST_ASIDE, KEPT) : undefined
    batch(() => {
      if (parts) {
        channel.live.value = parts.live
        channel.aside.value = parts.aside
      } else {
        side.value = side === channel.aside ? shortened(longer, MOST_ASIDE, 'older') : longer
      }
    })
  })
}

/** Only a stretch of history has newer rows to load; it joins the live rows once it reaches them. */
export async function loadNewer(channel: Channel) {
  const last = channel.aside.peek()?.rows.at(-1)
  if (!last || paging.has(channel)) return
  await page(channel, async () => {
    const rows = await endpoints.messagesAround(channel.id, last.id, LARGEST_PAGE)
    const aside = channel.aside.peek()
    const live = channel.live.peek()
    if (!aside || !live) return
    const longer = shortened(withNewer(aside, rows), MOST_ASIDE, 'newer')
    const whole = joined(longer, live)
    if (!whole && longer.rows.at(-1)?.id === last.id) return toLatest(channel)
    batch(() => {
      channel.live.value = whole ?? live
      channel.aside.value = whole ? undefined : longer
    })
  })
}

/** Removes the old message from the address, so that a reload does not return to it. */
export function toLatest(channel: Channel) {
  channel.aside.value = undefined
  if (route.peek().message === undefined || route.peek().channel !== channel.id) return
  history.replaceState(history.state, '', hashOf(channel.id))
  route.value = { channel: channel.id }
}

export async function showMessage(channel: Channel, id: number) {
  if (channel.findRow(id)) {
    channel.reveal.value = { id }
    return
  }
  try {
    const rows = await endpoints.messagesAround(channel.id, id, PAGE)
    const live = channel.live.peek()
    if (!rows.some(row => row.id === id)) return report({ what: 'message-missing' })
    settleFrame(channel, rows)
    const part = stretch(rows)
    const whole = live && joined(part, live)
    batch(() => {
      if (whole) channel.live.value = whole
      channel.aside.value = whole ? undefined : part
      channel.reveal.value = { id }
    })
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    report({ what: 'message-missing' })
  }
}

async function page(channel: Channel, read: () => Promise<void>) {
  paging.add(channel)
  try {
    await read()
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    report({ what: 'page-not-loaded' })
  } finally {
    paging.delete(channel)
  }
}
