/** What the first screen does without waits until that one is painted and can be used (ui.md 10). */
import { effect } from '@preact/signals'
import type { Milliseconds } from '#shared/rules/units.ts'
import { current } from './store/channels.ts'
import { afterPaint } from './ui/after-paint.ts'

/** On a bad network, or without one, nobody waits longer than this for the rest. */
const AT_THE_LATEST: Milliseconds = 5_000
/** A page in front is never so busy that there is no quiet moment for so long. */
const QUIET_WITHIN: Milliseconds = 1_000

/** Whoever opens a page is there, however much later it is told. */
export const openedAt = Date.now()

let settle = () => {}
const settled = new Promise<void>(resolve => {
  settle = resolve
})

/** For parts, requests and whatever else may come a moment later. */
export const firstScreen = (): Promise<void> => settled

/** To be called once it is known which channel is open, if one is. Rows that are only remembered may be drawn anew. */
export function watchFirstScreen() {
  void isKnown().then(() => afterPaint(() => whenQuiet(settle)))
}

/** What is open has its rows, as the server has them now, or will have none. */
export function isKnown(): Promise<void> {
  return new Promise<void>(resolve => {
    const stop = effect(() => {
      const state = current.value?.state.value
      if (state === 'new' || state === 'loading') return
      // Not from within: it has no name yet.
      queueMicrotask(() => stop())
      resolve()
    })
  })
}

function whenQuiet(run: () => void) {
  if ('requestIdleCallback' in window && !document.hidden) requestIdleCallback(run, { timeout: QUIET_WITHIN })
  else setTimeout(run)
}

setTimeout(settle, AT_THE_LATEST)
