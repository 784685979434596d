import type { Milliseconds } from '#shared/domain/units.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { backOff, isFinal } from './signalling.ts'
import { after } from './timing.ts'

const RETRIED_FOR: Milliseconds = 60_000

/** Retries for a minute, or until the server refuses. */
export async function persistently(request: () => Promise<unknown>) {
  for (let failures = 0, begun = Date.now(); Date.now() - begun < RETRIED_FOR; ) {
    try {
      await request()
      return
    } catch (error) {
      tolerateFailure(error)
      if (isFinal(error)) return
      await after(backOff(++failures))
    }
  }
}
