import type { Milliseconds } from '#shared/domain/units.ts'
import type { Clock } from './clock.ts'

/** Resolves after the time, or early when a function in `wakes` is called; returns whether one was. */
export function pause(clock: Clock, wakes: Set<() => void>, time: Milliseconds): Promise<boolean> {
  return new Promise(resolve => {
    const end = (isAwake: boolean) => {
      cancel()
      wakes.delete(wake)
      resolve(isAwake)
    }
    const wake = () => end(true)
    const cancel = clock.later(time, () => end(false))
    wakes.add(wake)
  })
}
