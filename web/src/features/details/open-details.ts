/** Opens the panel with the details of the open channel, at one of its tabs. */
import { signal } from '@preact/signals'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { DetailsTabId } from '../../store/route.ts'
import { panel } from '../../store/store.ts'

export const detailsTab = signal<DetailsTabId>('about')

export function openDetails(tab: DetailsTabId) {
  detailsTab.value = tab
  panel.value = 'details'
}

/** Closes the panel if it shows the tab already. */
export function toggleDetails(tab: DetailsTabId) {
  if (panel.peek() === 'details' && detailsTab.peek() === tab) panel.value = undefined
  else openDetails(tab)
}

/** The channel to which people are added; undefined while the dialog is closed. */
export const growingChannel = signal<ChannelInfoPayload | undefined>(undefined)

export function openAddPeople(info: ChannelInfoPayload) {
  growingChannel.value = info
}
