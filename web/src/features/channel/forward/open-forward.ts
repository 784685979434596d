import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { firstScreen } from '../../../store/first-screen.ts'
import { isSystemMessage } from '../../../store/items.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'
import type { ForwardedProps } from './ForwardCard.tsx'

/** The texts of a forwarded message. */
export const Forwarded = lazyComponent<ForwardedProps>(() =>
  firstScreen()
    .then(() => import('./ForwardCard.tsx'))
    .then(module => module.Forwarded),
)

/** The message for which a target is being chosen. */
export const forwarding = signal<MessagePayload | undefined>(undefined)

export const canForward = (row: MessagePayload) => row.id > 0 && row.deleted === 0 && !isSystemMessage(row)

export function openForward(row: MessagePayload | undefined) {
  if (row && canForward(row)) forwarding.value = row
}
