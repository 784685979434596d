/** Opens the list of public channels, and the dialog for a new one. Both are loaded on demand. */
import { signal } from '@preact/signals'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { panel } from '../../store/store.ts'

export function openBrowse() {
  panel.value = 'channels'
}

/** The name typed so far; undefined while the dialog is closed. */
export const newChannelName = signal<string | undefined>(undefined)

export function openNewChannel(name = '') {
  newChannelName.value = name
}

/** The channel whose details are edited; undefined while the dialog is closed. */
export const editedChannel = signal<ChannelInfoPayload | undefined>(undefined)

export function openChannelDetails(info: ChannelInfoPayload) {
  editedChannel.value = info
}
