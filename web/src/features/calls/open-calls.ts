/**
 * The state of calls and shares that the whole client uses, and the ways to start them. All other code of calls, in
 * `parts.ts`, is loaded with the first one.
 */
import { computed, signal } from '@preact/signals'
import type { IncomingCallPayload, ScreensharePayload } from '#shared/domain/payloads.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { current } from '../../store/channels.ts'
import { isPhone } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import type { Call } from './call.ts'
import type { OwnShare, WatchedShare } from './shares.ts'

export const incoming = signal<IncomingCallPayload[]>([])
/** The call of this tab. */
export const ongoing = signal<Call | undefined>(undefined)
/** The call is in a corner, a channel in front of it. */
export const minimised = signal(false)
export const conversationShown = signal(true)

export const shares = signal<ReadonlyMap<ChannelId, ScreensharePayload[]>>(new Map())
export const ownShare = signal<OwnShare | undefined>(undefined)
export const watched = signal<WatchedShare | undefined>(undefined)

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

const parts = () => import('./lazy-chunk.ts')

export const IncomingCalls = lazyComponent(() => parts().then(module => module.IncomingCalls))
export const Stage = lazyComponent(() => parts().then(module => module.Stage))
export const MiniCall = lazyComponent(() => parts().then(module => module.MiniCall))
export const CallStrip = lazyComponent(() => parts().then(module => module.CallStrip))
export const ConversationHead = lazyComponent(() => parts().then(module => module.ConversationHead))
export const ShareBanner = lazyComponent(() => parts().then(module => module.ShareBanner))
export const GoingOnBanner = lazyComponent(() => parts().then(module => module.GoingOnBanner))
export const CallDialogs = lazyComponent(() => parts().then(module => module.CallDialogs))

/** The open dialog of calls; mounted only while open. */
export const dialog = signal<'trouble' | 'hang up' | 'add people' | undefined>(undefined)

export const startCall = (channel: ChannelId, camera: boolean) =>
  withParts(module => module.place(channel, camera))
export const startShare = (channel: ChannelId) => withParts(module => module.shareScreen(channel))

async function withParts(run: (module: Awaited<ReturnType<typeof parts>>) => Promise<void>) {
  try {
    await run(await parts())
  } catch (error) {
    // The server is away, or has been updated and no longer has this version's files.
    if (!(error instanceof TypeError)) throw error
    showToast(strings.calls.notLoaded, { icon: 'alert' })
  }
}
