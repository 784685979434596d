/** Messages that texts link to: one request for each in a minute, whatever the number of links. */
import { type Signal, signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { report } from '../store/reports.ts'
import { hashOf } from '../store/route.ts'
import { wholeMessage } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

type Found = MessagePayload | 'unreadable' | undefined

const known = new Map<number, Signal<Found>>()
const MOST = 500

/** Time after which a message in view is requested again: it may have changed, or be readable no more. */
const FRESH: Milliseconds = 60_000
const receivedAt = new WeakMap<Signal<Found>, Milliseconds>()

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
  if (performance.now() - (receivedAt.get(found) ?? -Infinity) > FRESH) {
    const asked = requested.get(found) ?? request(id, found).finally(() => requested.delete(found))
    requested.set(found, asked)
    await asked
  }
  return found.peek()
}

async function request(id: number, found: Signal<Found>) {
  try {
    found.value = await wholeMessage(id)
    receivedAt.set(found, performance.now())
  } catch (error) {
    tolerateFailure(error)
    // After another failure the next one in view asks again.
    if (error.status !== 404) return
    found.value = 'unreadable'
    receivedAt.set(found, performance.now())
  }
}

/** Opens a message whose channel is not known yet. */
export async function openLinkedMessage(id: number) {
  const found = await wantLinkedMessage(id)
  if (found === undefined || found === 'unreadable') report({ what: 'message-missing' })
  else location.hash = hashOf(found.channel, found.id)
}
