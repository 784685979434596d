/** Marking channels and messages as read and unread. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { newestMessages } from '../net/requests/endpoints.ts'
import { tolerateFailure } from '../net/requests/failure.ts'
import * as endpoints from '../net/requests/lazy-endpoints.ts'
import { type Channel, channelOf } from '../store/channels/channels.ts'
import { nameOf } from '../store/channels/names.ts'
import { guessChoice, JUST_BEFORE, markedUnread } from '../store/sidebar/channel-choices.ts'
import { viewer } from '../store/store.ts'
import { announce, showToast } from '../ui/feedback.ts'

/** Rows searched for a message of somebody else. */
const LOOKED_AT = 50

/** Returns false if it failed, which a toast says. */
export async function markChannelRead(channel: ChannelId): Promise<boolean> {
  const line = channelOf(channel).unreadAfter.peek()
  try {
    const { channels } = await endpoints.markReadWithUndo(channel)
    if (markedUnread(channel) !== undefined) guessChoice(channel, { marked_unread: null })
    const first = channels[0]?.message_id
    const action = first !== undefined && {
      label: strings.undo,
      run: () => void undoOne(channel, first, line),
    }
    showToast(strings.rowMenu.markedRead(nameOf(channel)), { icon: 'check', ...(action && { action }) })
    return true
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.sidebar.notChanged(nameOf(channel)))
    return false
  }
}

async function undoOne(channel: ChannelId, first: number, line: Seconds | undefined) {
  const of = channelOf(channel)
  const row = of.findRow(first)
  of.unreadAfter.value = line
  // Before the server confirms it: the open channel is read again otherwise.
  if (row) guessChoice(channel, { marked_unread: row.ts })
  try {
    await endpoints.markUnreadAgain([first])
  } catch (error) {
    if (row) guessChoice(channel, { marked_unread: null })
    tolerateFailure(error)
    showToast(strings.sidebar.notChanged(nameOf(channel)))
  }
}

/** Takes the New line away, too. */
export async function markOpenChannelRead({ id, unreadAfter }: Channel) {
  if (await markChannelRead(id)) unreadAfter.value = undefined
}

/** From the newest message of somebody else on. */
export async function markChannelUnread(channel: ChannelId) {
  try {
    const known = channelOf(channel).liveWindow.peek()?.rows
    const rows = known ?? (await newestMessages(channel, LOOKED_AT))
    const row = rows.findLast(one => one.sender !== viewer && one.deleted === 0 && one.id > 0)
    if (row) await mark(row)
    else showToast(strings.rowMenu.nothingToMark(nameOf(channel)))
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.sidebar.notChanged(nameOf(channel)))
  }
}

export async function markMessageUnread(row: MessagePayload) {
  try {
    await mark(row)
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.sidebar.notChanged(nameOf(row.channel)))
  }
}

async function mark(row: MessagePayload) {
  const channel = channelOf(row.channel)
  const before = { line: channel.unreadAfter.peek(), mark: markedUnread(row.channel) ?? null }
  channel.unreadAfter.value = row.ts - JUST_BEFORE
  guessChoice(row.channel, { marked_unread: row.ts })
  try {
    await endpoints.markUnread(row.channel, row.id)
    announce(strings.rowMenu.markedUnread(nameOf(row.channel)))
  } catch (error) {
    channel.unreadAfter.value = before.line
    guessChoice(row.channel, { marked_unread: before.mark })
    throw error
  }
}

export async function markAllRead() {
  try {
    const { channels } = await endpoints.markAllRead()
    if (channels.length === 0) return showToast(strings.rowMenu.nothingUnread, { icon: 'checks' })
    showToast(strings.rowMenu.allRead(channels.length), {
      icon: 'checks',
      action: { label: strings.undo, run: () => void undo(channels.map(one => one.message_id)) },
    })
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.rowMenu.notAllMarked)
  }
}

/** Returns after all of them are marked. */
export async function markSectionRead(channels: ChannelId[]) {
  if (channels.length === 0) return showToast(strings.rowMenu.nothingUnread, { icon: 'checks' })
  try {
    const marked = await Promise.all(channels.map(endpoints.markReadWithUndo))
    const messages = marked.flatMap(page => page.channels.map(one => one.message_id))
    showToast(strings.rowMenu.allRead(channels.length), {
      icon: 'checks',
      action: { label: strings.undo, run: () => void undo(messages) },
    })
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.rowMenu.notAllMarked)
  }
}

async function undo(messages: number[]) {
  try {
    await endpoints.markUnreadAgain(messages)
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.rowMenu.notAllMarked)
  }
}
