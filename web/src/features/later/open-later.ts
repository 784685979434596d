/** Opens the parts of pins, saved messages and scheduled sends, which are all loaded on demand. */
import { computed } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Channel } from '../../store/channels.ts'
import { listedDrafts } from '../../store/drafts.ts'
import { me, panel } from '../../store/store.ts'
import { lazyComponent, withModule } from '../../ui/lazy.tsx'
import type { PinsButtonProps } from './PinMarks.tsx'
import type { LaterText } from './send-later.tsx'

const chunk = () => import('./lazy-chunk.ts')

export const PinnedBy = lazyComponent<{ row: MessagePayload }>(() => chunk().then(module => module.PinnedBy))
export const PinsButton = lazyComponent<PinsButtonProps>(() => chunk().then(module => module.PinsButton))
export const PinsTab = lazyComponent<{ channel: Channel }>(() => chunk().then(module => module.PinsTab))

/** Something is saved, begun or scheduled. */
export const hasLater = computed(() => {
  const { saved = 0, scheduled = 0, failed = 0 } = me.value ?? {}
  return saved + scheduled + failed + listedDrafts.value.length > 0
})
export const LaterRows = lazyComponent(() => chunk().then(module => module.LaterRows))
export const SendLaterButton = lazyComponent<{ open: (anchor: HTMLElement) => void }>(() =>
  chunk().then(module => module.SendLaterButton),
)
export const SavedPage = lazyComponent(() => chunk().then(module => module.SavedPage))
export const ScheduledPage = lazyComponent(() => chunk().then(module => module.ScheduledPage))

export function openScheduled() {
  panel.value = 'scheduled'
}

/** Saves the message, or takes it off the list. */
export const toggleSaved = (row: MessagePayload) => withModule(chunk, module => void module.toggleSaved(row))

/** The menu of times at which a text may be sent. */
export const openSendLater = (anchor: HTMLElement, later: LaterText) =>
  withModule(chunk, module => module.openSendLater(anchor, later))

/** Pins the message, or takes its pin away. */
export const togglePin = (row: MessagePayload) => withModule(chunk, module => void module.togglePin(row))
