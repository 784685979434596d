import type { Milliseconds } from '#shared/domain/units.ts'

/** Visible pages get a frame sooner than this. */
const AT_THE_LATEST: Milliseconds = 500

/**
 * Runs with the next frame, or after 500 ms without one: hidden tabs get none, and neither may a visible window that is
 * covered or on a sleeping screen. Its content must still be current.
 */
export function nextFrame(run: () => void) {
  const go = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    run()
  }
  const frame = requestAnimationFrame(go)
  const timer = setTimeout(go, document.hidden ? 0 : AT_THE_LATEST)
}
