/** Quoted messages that are not loaded, each requested once. */
import type { SingleMessagePayload } from '#shared/domain/payloads.ts'
import { message } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

const known = new Map<number, Promise<SingleMessagePayload | undefined>>()
const MOST = 500

export function parentOf(id: number): Promise<SingleMessagePayload | undefined> {
  const asked = known.get(id)
  if (asked) return asked
  if (known.size >= MOST) known.clear()
  const answer = message(id).catch(error => {
    tolerateFailure(error)
    if (error.status !== 404) known.delete(id)
    return undefined
  })
  known.set(id, answer)
  return answer
}
