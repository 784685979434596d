/** Opening a channel, paging through it, and going to a message somewhere in it. */
import { batch } from '@preact/signals'
import type { MessagePayload } from '#shared/rules/payloads.ts'
import type { ChannelId } from '#shared/rules/units.ts'
import { showToast } from '../feedback/feedback.ts'
import { type Channel, channelOf, current } from '../store/channels.ts'
import {
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
import { hashOf } from '../store/route.ts'
import { byName } from '../store/selectors.ts'
import { channelUnreads, dms, privateChannels, route, viewer } from '../store/store.ts'
import { words } from '../words.ts'
import * as endpoints from './endpoints.ts'
import { settleFrame } from './outbox.ts'

const PAGE = 60
const LARGEST_PAGE = 200
/** So much of a long history stays when its channel is left. */
const KEPT = 120
/** More rows than this are not kept in the page: the far end goes, and is loaded again when it is needed. */
const MOST = 400
const MOST_ASIDE = 300

export function openChannel(id: ChannelId, message?: number) {
  const channel = channelOf(id)
  const opening = current.peek() !== channel
  if (opening) {
    leave(current.peek())
    batch(() => {
      channel.newestAt = performance.now()
      channel.unreadAfter.value = undefined
      channel.aside.value = undefined
      current.value = channel
    })
  }
  void (async () => {
    if (opening || channel.state.peek() !== 'ready') await load(channel)
    if (message !== undefined) await showMessage(channel, message)
  })()
}

export function closeChannel() {
  leave(current.peek())
  current.value = undefined
}

function leave(channel: Channel | undefined) {
  if (!channel) return
  batch(() => {
    channel.typing.value = []
    channel.aside.value = undefined
    channel.reveal.value = undefined
    if (channel.live.value) channel.live.value = trimmed(channel.live.value, KEPT)
  })
}

/** What is known is shown at once, unless there is something new: then the list opens where the new begins. */
export async function load(channel: Channel) {
  const unread = unreadOf(channel.id)
  const known = channel.live.peek()
  if (!known || unread > 0) channel.state.value = 'loading'
  else channel.state.value = 'ready'
  const limit = Math.min(Math.max(PAGE, unread + 20), LARGEST_PAGE)
  try {
    const [rows, receipts] = await Promise.all([
      endpoints.newestMessages(channel.id, limit),
      endpoints.readReceipts(channel.id),
      loadMembers(channel),
    ])
    batch(() => {
      channel.receipts.value = byName(receipts)
      const mark = channel.receipts.value.get(viewer) ?? 0
      channel.unreadAfter.value =
        unread > 0 || rows.some(row => row.ts > mark && row.sender !== viewer) ? mark : undefined
      // What was sent just before the channel was left is among them.
      settleFrame(channel, rows)
      channel.live.value = reload(channel.live.peek(), rows, limit)
      channel.state.value = 'ready'
    })
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    if (known && error.status === 0) channel.state.value = 'ready'
    else channel.state.value = error.status === 403 || error.status === 404 ? 'forbidden' : 'failed'
  }
}

/** Fresh rows beside those that were known: one history if they meet, else only the fresh ones. */
function reload(known: Log | undefined, rows: MessagePayload[], limit: number): Log {
  const fresh = newestPage(rows, limit)
  const last = known?.rows.at(-1)
  const first = fresh.rows[0]
  if (!known || !last || !first || first.ts > last.ts || fresh.complete) return fresh
  return { ...known, rows: mergeRows(known.rows, fresh.rows), cursor: Math.max(known.cursor, fresh.cursor) }
}

export async function loadMembers(channel: Channel) {
  try {
    channel.members.value = await endpoints.channelMembers(channel.id)
  } catch (error) {
    // Without them only completion is missing.
    if (!(error instanceof endpoints.Failure)) throw error
  }
}

function unreadOf(id: ChannelId): number {
  const listed = [...dms.peek(), ...privateChannels.peek()].find(one => one.channel === id)
  return channelUnreads.peek().get(id) ?? listed?.unread ?? 0
}

const paging = new Set<Channel>()

export async function loadOlder(channel: Channel) {
  const shown = channel.aside.peek() ?? channel.live.peek()
  const first = shown?.rows[0]
  if (!shown || !first || shown.complete || paging.has(channel)) return
  await page(channel, async () => {
    const rows = await endpoints.messagesBefore(channel.id, first.ts, PAGE)
    const side = channel.aside.peek() ? channel.aside : channel.live
    const log = side.peek()
    if (log?.rows[0]?.id !== first.id) return
    const longer = withOlder(log, rows, PAGE)
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

/** Only a stretch of history has something newer to load; once it reaches the live rows it becomes one with them. */
export async function loadNewer(channel: Channel) {
  const last = channel.aside.peek()?.rows.at(-1)
  if (!last || paging.has(channel)) return
  await page(channel, async () => {
    const rows = await endpoints.messagesAround(channel.id, last.id, PAGE * 2)
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

/** The address no longer names an old message: a reload shall not lead back to it. */
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
    if (!rows.some(row => row.id === id)) return showToast(words.list.gone)
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
    showToast(words.list.gone)
  }
}

async function page(channel: Channel, read: () => Promise<void>) {
  paging.add(channel)
  try {
    await read()
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    showToast(words.list.noOlder, { icon: 'alert' })
  } finally {
    paging.delete(channel)
  }
}
