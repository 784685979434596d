import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'

/** The message whose deletion is being confirmed. */
export const deleting = signal<MessagePayload | undefined>(undefined)
