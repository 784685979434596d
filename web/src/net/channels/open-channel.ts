/** Opening a channel, paging through it, and jumping to a message in it. */
import { batch, untracked } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { reconcilePending } from '../../store/channels/channel-pending.ts'
import { type Channel, channelOf, current } from '../../store/channels/channels.ts'
import { isPrivate } from '../../store/channels/names.ts'
import { held } from '../../store/held.ts'
import { isRowItem, rowsOf } from '../../store/messages/items.ts'
import {
  aroundRow,
  detachedWindow,
  joined,
  type MessageWindow,
  reloaded,
  shortened,
  split,
  trimmed,
  withNewer,
  withOlder,
} from '../../store/messages/messages.ts'
import { byName } from '../../store/messages/selectors.ts'
import { preferred } from '../../store/preferences/preferences.ts'
import { report } from '../../store/reports.ts'
import { hashOf } from '../../store/route.ts'
import { JUST_BEFORE, markedUnread } from '../../store/sidebar/channel-choices.ts'
import { route, unreadIn, viewer } from '../../store/store.ts'
import { afterPaint } from '../../ui/after-paint.ts'
import { replacePlace } from '../../ui/layers.ts'
import { paintRows } from '../device/cache.ts'
import { freePictures } from '../messages/local-pictures.ts'
import { noteCounts } from '../messages/reply-counts.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { isEndInView } from './read-marker.ts'

const PAGE = 60
/** For scrolling: larger pages load the next rows before they are needed. */
const LONG_PAGE = 100
const LARGEST_PAGE = 200
/** Rows of a long history that stay when its channel is left. */
const KEPT = 120
/** Rows in memory at most: beyond it the far end is dropped and reloaded on demand. */
const MOST = 1_000
const MOST_IN_HISTORY = 800
/** Within this time a channel reopens where it was left (ui.md 6.2). */
const POSITION_HOLDS = 60 * 60_000

export function openChannel(id: ChannelId, message?: number) {
  const channel = channelOf(id)
  const opening = current.peek() !== channel
  if (opening) {
    leave(current.peek())
    batch(() => {
      channel.newestAt = performance.now()
      channel.unreadAfter.value = undefined
      const isOld = performance.now() - (channel.scrollPosition?.at ?? 0) > POSITION_HOLDS
      if (isOld || message !== undefined || unreadOf(id) > 0) forgetPosition(channel)
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
  const isKnown =
    channel.liveWindow.peek() !== undefined && !channel.isStale.peek() && unreadOf(channel.id) === 0
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
  freePictures(channel)
  const { scrollPosition } = channel
  const live = channel.liveWindow.peek()
  const shown = channel.historyWindow.peek() ?? live
  const item = channel.items.peek().find(one => one.key === scrollPosition?.key)
  const id = item && isRowItem(item) ? rowsOf(item)[0]!.row.id : undefined
  const isRecent = live?.rows.slice(-KEPT).some(row => row.id === id)
  batch(() => {
    channel.typing.value = []
    channel.reveal.value = undefined
    channel.historyWindow.value = isRecent ? undefined : shown && aroundRow(shown, row => row.id === id, KEPT)
    if (scrollPosition && (isRecent || channel.historyWindow.value))
      channel.scrollPosition = { ...scrollPosition, at: performance.now() }
    else forgetPosition(channel)
    if (live) channel.liveWindow.value = trimmed(live, KEPT)
  })
}

function forgetPosition(channel: Channel) {
  channel.scrollPosition = undefined
  channel.historyWindow.value = undefined
}

const latestLoad = new WeakMap<Channel, object>()

/**
 * Known rows are shown at once, unless there are unread messages: then the list opens at the first unread one, however
 * old. Rows from this device are shown in any case. A requested message has precedence. `isRetry`: a failure stays on the
 * screen until the rows are there.
 */
export async function load(channel: Channel, message?: number, isRetry = false) {
  const attempt = {}
  const since = performance.now()
  latestLoad.set(channel, attempt)
  const unread = unreadOf(channel.id)
  const known = channel.liveWindow.peek()
  const lineBefore = channel.unreadAfter.peek()
  if (!isRetry) channel.state.value = !known || channel.isStale.peek() || unread > 0 ? 'loading' : 'ready'
  const limit = Math.min(Math.max(PAGE, unread + 20), LARGEST_PAGE)
  const painted = known ? undefined : paintRows(channel)
  try {
    const [rows, receipts] = await Promise.all([
      endpoints.newestMessages(channel.id, limit),
      endpoints.readReceipts(channel.id),
      loadMembers(channel),
    ])
    const markers = byName(receipts)
    const isWhole = rows.length < limit
    // A viewer who has never read a long history starts at its end, not at its beginning.
    const marked = untracked(() => markedUnread(channel.id))
    const marker =
      marked === undefined ? (markers.get(viewer) ?? (isWhole ? 0 : Infinity)) : marked - JUST_BEFORE
    const hasNew = rows.some(row => row.ts > marker && row.sender !== viewer)
    const isAtEnd = isWhole || !hasNew || preferred.opensAt.peek() === 'newest'
    const part = await windowToOpen(channel, rows, isAtEnd ? 0 : marker, message)
    // The channel was left and opened again meanwhile: this is the place of the earlier visit.
    if (latestLoad.get(channel) !== attempt) return
    batch(() => {
      // The stream's state of the channel is newer than this response.
      const seen = held.state('seen')
      if (seen?.channel !== channel.id || !seen.receipts) channel.receipts.value = markers
      // It lacks the own marker of a viewer who does not share it.
      else channel.receipts.value = new Map([...markers, ...channel.receipts.peek()])
      // A message that was marked as unread since the request keeps its line.
      const line = channel.unreadAfter.peek()
      if (line === undefined || line === lineBefore) channel.unreadAfter.value = hasNew ? marker : undefined
      channel.foldsUpTo.value = hasNew ? marker : (rows.at(-1)?.ts ?? 0)
      noteCounts(channel, rows, since)
      // The rows may contain messages that were sent just before the channel was left.
      const reconciled = reconcilePending(channel, rows)
      const wasStale = channel.isStale.peek()
      const isRead = wasStale && !isEndInView()
      const live = reloaded(
        wasStale ? undefined : channel.liveWindow.peek(),
        reconciled,
        limit,
        known?.cursor,
      )
      const whole = part && joined(part, live)
      channel.liveWindow.value = whole ?? live
      channel.isStale.value = false
      // A viewer who already reads kept rows stays there.
      if (current.peek() === channel && !(isRead && message === undefined))
        channel.historyWindow.value = whole ? undefined : part
      channel.state.value = 'ready'
      if (message !== undefined && channel.findRow(message)) channel.reveal.value = { id: message }
      else if (wasStale && hasNew && !isRead) channel.reanchorCount.value++
    })
    if (message !== undefined && !channel.findRow(message)) report({ what: 'message-missing' })
  } catch (error) {
    tolerateFailure(error)
    await painted
    const isForbidden = error.status === 403 || error.status === 404
    if (isForbidden) channel.liveWindow.value = undefined
    else if (channel.liveWindow.peek()) {
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
async function windowToOpen(
  channel: Channel,
  newest: MessagePayload[],
  marker: Seconds,
  message: number | undefined,
): Promise<MessageWindow | undefined> {
  const left = channel.historyWindow.peek()?.rows
  const id = message ?? left?.[left.length >> 1]?.id
  if (id === undefined && marker < (newest[0]?.ts ?? 0) && marker > 0)
    return detachedWindow(await endpoints.messagesAroundTime(channel.id, marker, KEPT))
  if (id === undefined || newest.some(row => row.id === id)) return undefined
  try {
    return detachedWindow(await endpoints.messagesAround(channel.id, id, message === undefined ? KEPT : PAGE))
  } catch (error) {
    if (error instanceof endpoints.Failure && error.status === 404) return undefined
    throw error
  }
}

/** Private channels only; the members of other channels are known without a request. */
export async function loadMembers(channel: Channel) {
  if (!isPrivate(channel.id)) return
  try {
    channel.serverMembers.value = await endpoints.channelMembers(channel.id)
  } catch (error) {
    // Without them only completion is missing.
    tolerateFailure(error)
  }
}

const unreadOf = (id: ChannelId) => untracked(() => unreadIn(id))

const paging = new Set<Channel>()

export async function loadOlder(channel: Channel) {
  const shown = channel.historyWindow.peek() ?? channel.liveWindow.peek()
  const first = shown?.rows[0]
  if (!shown || !first || shown.complete || paging.has(channel) || channel.isStale.peek()) return
  await page(channel, async () => {
    const since = performance.now()
    const rows = await endpoints.messagesBefore(channel.id, first.ts, LONG_PAGE)
    noteCounts(channel, rows, since)
    const side = channel.historyWindow.peek() ? channel.historyWindow : channel.liveWindow
    const loaded = side.peek()
    if (loaded?.rows[0]?.id !== first.id) return
    const longer = withOlder(loaded, rows, LONG_PAGE)
    const parts = side === channel.liveWindow ? split(longer, MOST, MOST_IN_HISTORY, KEPT) : undefined
    batch(() => {
      if (parts) {
        channel.liveWindow.value = parts.live
        channel.historyWindow.value = parts.history
      } else {
        side.value = side === channel.historyWindow ? shortened(longer, MOST_IN_HISTORY, 'older') : longer
      }
    })
  })
}

/** Only a history window has newer rows to load; it joins the live window once it reaches it. */
export async function loadNewer(channel: Channel) {
  const last = channel.historyWindow.peek()?.rows.at(-1)
  if (!last || paging.has(channel)) return
  await page(channel, async () => {
    const since = performance.now()
    const rows = await endpoints.messagesAround(channel.id, last.id, LARGEST_PAGE)
    noteCounts(channel, rows, since)
    const detached = channel.historyWindow.peek()
    const live = channel.liveWindow.peek()
    if (!detached || !live) return
    const longer = shortened(withNewer(detached, rows), MOST_IN_HISTORY, 'newer')
    const whole = joined(longer, live)
    if (!whole && longer.rows.at(-1)?.id === last.id) return toLatest(channel)
    batch(() => {
      channel.liveWindow.value = whole ?? live
      channel.historyWindow.value = whole ? undefined : longer
    })
  })
}

/** Removes the old message from the address, so that a reload does not return to it. */
export function toLatest(channel: Channel) {
  channel.historyWindow.value = undefined
  if (route.peek().message === undefined || route.peek().channel !== channel.id) return
  replacePlace(hashOf(channel.id))
  route.value = { channel: channel.id }
}

export async function showMessage(channel: Channel, id: number) {
  if (channel.findRow(id)) {
    channel.reveal.value = { id }
    return
  }
  try {
    const rows = await endpoints.messagesAround(channel.id, id, PAGE)
    const live = channel.liveWindow.peek()
    if (!rows.some(row => row.id === id)) return report({ what: 'message-missing' })
    const part = detachedWindow(reconcilePending(channel, rows))
    const whole = live && joined(part, live)
    batch(() => {
      if (whole) channel.liveWindow.value = whole
      channel.historyWindow.value = whole ? undefined : part
      channel.reveal.value = { id }
    })
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'message-missing' })
  }
}

/** Shows the first message from a time on, else the last one. */
export async function showFrom(channel: Channel, ts: Seconds) {
  try {
    const rows = await endpoints.messagesAroundTime(channel.id, ts, PAGE)
    const row = rows.find(one => one.ts >= ts) ?? rows.at(-1)
    if (row) await showMessage(channel, row.id)
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'page-not-loaded', channel: channel.id })
  }
}

async function page(channel: Channel, read: () => Promise<void>) {
  paging.add(channel)
  try {
    await read()
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'page-not-loaded', channel: channel.id })
  } finally {
    paging.delete(channel)
  }
}
