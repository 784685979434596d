/** Messages that texts link to, reply to or forward; `net/linked-messages.ts` requests them. */
import { type Signal, signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'

export type Found = MessagePayload | 'unreadable' | undefined

export const knownMessages = new Map<number, Signal<Found>>()
const MOST = 500

/** How often each message is in view. */
export const inView = new Map<number, number>()

/** Undefined until the message is requested and there. */
export function linkedMessage(id: number): Signal<Found> {
  let found = knownMessages.get(id)
  if (!found) {
    if (knownMessages.size >= MOST) forgetUnseen()
    found = signal<Found>(undefined)
    knownMessages.set(id, found)
  }
  return found
}

function forgetUnseen() {
  for (const id of knownMessages.keys()) if (!inView.has(id)) knownMessages.delete(id)
}
