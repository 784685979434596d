/** Opens the parts of pins, saved messages and scheduled sends, which follow the first screen. */
import { computed } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { me, panel } from '../../store/store.ts'
import { listedDrafts } from '../../store/writing/drafts.ts'
import { part } from '../../ui/part.ts'
import type { LaterText } from './send-later.tsx'

export const laterPart = part<typeof import('./later-part.ts')>()

/** Something is saved, begun or scheduled. */
export const hasLater = computed(() => {
  const { saved = 0, scheduled = 0, failed = 0 } = me.value ?? {}
  return saved + scheduled + failed + listedDrafts.value.length > 0
})

export function openScheduled() {
  panel.value = 'scheduled'
}

/** Saves the message, or takes it off the list. */
export const toggleSaved = (row: MessagePayload) => laterPart.use(module => void module.toggleSaved(row))

/** The menu of times at which a text may be sent. */
export const openSendLater = (anchor: HTMLElement, later: LaterText) =>
  laterPart.use(module => module.openSendLater(anchor, later))

/** Pins the message, or takes its pin away. */
export const togglePin = (row: MessagePayload) => laterPart.use(module => void module.togglePin(row))
