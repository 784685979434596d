/** Calls and screen shares of this tab. */
import { batch, computed, signal } from '@preact/signals'
import { ownCallChannel, ownShareChannel } from '../../store/calls.ts'
import { current } from '../../store/channels/channels.ts'
import { isPhone } from '../../store/store.ts'
import type { Call } from './call.ts'
import type { OwnShare } from './own-share.ts'
import type { WatchedShare } from './watched-share.ts'

/** Window width in px: narrower windows show either the call or the conversation (ui.md 4). */
const ROOM_FOR_BOTH = 1100

/** The call of this tab. */
export const ongoing = signal<Call | undefined>(undefined)
/** The call is in a corner, a channel in front of it. */
export const minimised = signal(false)
export const conversationShown = signal(true)
export const ownShare = signal<OwnShare | undefined>(undefined)
export const watched = signal<WatchedShare | undefined>(undefined)
/** The open dialog of calls; mounted only while open. */
export const dialog = signal<'trouble' | 'end for all' | 'add people' | undefined>(undefined)

export function setOngoing(call: Call | undefined) {
  batch(() => {
    ongoing.value = call
    ownCallChannel.value = call?.channel
  })
}

export function setOwnShare(share: OwnShare | undefined) {
  batch(() => {
    ownShare.value = share
    ownShareChannel.value = share?.channel
  })
}

/** Beside the stage, if the window is wide enough for both. */
export function showConversationIfRoom() {
  conversationShown.value = innerWidth > ROOM_FOR_BOTH
}

/** Content of the stage beside the conversation, or in place of it. */
export const stage = computed<'call' | 'share' | undefined>(() => {
  if (ongoing.value && !minimised.value) return 'call'
  return watched.value ? 'share' : undefined
})

/** The conversation of a call stands beside it; a viewer invited from elsewhere cannot read it. */
export const isBeside = computed(() => {
  const channel = stage.value === 'call' ? ongoing.value?.channel : watched.value?.share.channel
  return conversationShown.value && !isPhone.value && current.value?.id === channel
})
