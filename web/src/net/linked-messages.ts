/** Messages that texts link to: one request for each, whatever the number of links. */
import { type Signal, signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { report } from '../store/reports.ts'
import { hashOf } from '../store/route.ts'
import { wholeMessage } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

type Found = MessagePayload | 'unreadable' | undefined

const known = new Map<number, Signal<Found>>()
const MOST = 500

/** Undefined until the message is requested and there. */
export function linkedMessage(id: number): Signal<Found> {
  let found = known.get(id)
  if (!found) {
    if (known.size >= MOST) known.clear()
    found = signal<Found>(undefined)
    known.set(id, found)
  }
  return found
}

const requested = new Map<Signal<Found>, Promise<void>>()

export async function wantLinkedMessage(id: number): Promise<Found> {
  const found = linkedMessage(id)
  if (found.peek() === undefined) {
    const asked = requested.get(found) ?? request(id, found).finally(() => requested.delete(found))
    requested.set(found, asked)
    await asked
  }
  return found.peek()
}

async function request(id: number, found: Signal<Found>) {
  try {
    found.value = await wholeMessage(id)
  } catch (error) {
    tolerateFailure(error)
    // After another failure the next one in view asks again.
    if (error.status === 404) found.value = 'unreadable'
  }
}

/** Opens a message whose channel is not known yet. */
export async function openLinkedMessage(id: number) {
  const found = await wantLinkedMessage(id)
  if (found === undefined || found === 'unreadable') report({ what: 'message-missing' })
  else location.hash = hashOf(found.channel, found.id)
}
