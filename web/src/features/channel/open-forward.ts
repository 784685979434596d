import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { isSystemMessage } from '../../store/messages/items.ts'
import { part } from '../../ui/part.ts'

/** The texts of a forwarded message. */
export const forwardCard = part<typeof import('./forward/ForwardCard.tsx')>()

/** The message for which a target is being chosen. */
export const forwarding = signal<MessagePayload | undefined>(undefined)

export const canForward = (row: MessagePayload) => row.id > 0 && row.deleted === 0 && !isSystemMessage(row)

export function openForward(row: MessagePayload | undefined) {
  if (row && canForward(row)) forwarding.value = row
}
