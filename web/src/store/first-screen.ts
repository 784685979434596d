/** Work that the first screen does not need waits until it is painted and usable (ui.md 10). */
import { effect } from '@preact/signals'
import type { Milliseconds } from '#shared/domain/units.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { current } from './channels/channels.ts'

/** Upper limit of the wait, for slow networks or none. */
const AT_THE_LATEST: Milliseconds = 5_000
/** A visible page always has an idle moment within this time. */
const QUIET_WITHIN: Milliseconds = 1_000

/** Time at which the page was opened, ms: presence counts from it, even when it is reported later. */
export const openedAt = Date.now()

let settle = () => {}
const settled = new Promise<void>(resolve => {
  settle = resolve
})

/** Resolves when deferred parts and requests may start. */
export const firstScreen = (): Promise<void> => settled

/** Call once the open channel, if any, is known. Cached rows may be rendered again. */
export function watchFirstScreen() {
  void openChannelLoaded().then(() => afterPaint(() => whenQuiet(settle)))
}

/** Resolves when the open channel has its rows from the server, or failed to load. */
function openChannelLoaded(): Promise<void> {
  return new Promise<void>(resolve => {
    const stop = effect(() => {
      const state = current.value?.state.value
      if (state === 'new' || state === 'loading') return
      // Deferred: `stop` is not assigned yet.
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
