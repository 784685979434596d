/** Opens the list of public channels, and the dialogs of a channel. All are loaded on demand. */
import { signal } from '@preact/signals'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { panel } from '../../store/store.ts'

/** Characters (interface 4.7 and 12.1). */
export const LONGEST_NAME = 80
export const LONGEST_TOPIC = 250

export function openBrowse() {
  panel.value = 'channels'
}

/** First values of the dialog of a new channel; undefined while it is closed. */
export const newChannel = signal<{ name: string; isPrivate: boolean } | undefined>(undefined)

export function openNewChannel({ name = '', isPrivate = false } = {}) {
  newChannel.value = { name, isPrivate }
}

/** The channel whose details are edited; undefined while the dialog is closed. */
export const editedChannel = signal<ChannelInfoPayload | undefined>(undefined)

export function openChannelDetails(info: ChannelInfoPayload) {
  editedChannel.value = info
}

/** The private channel that the viewer wants to leave; undefined while the dialog is closed. */
export const leavingChannel = signal<ChannelId | undefined>(undefined)

export function openLeaveDialog(channel: ChannelId) {
  leavingChannel.value = channel
}
