import type { Milliseconds } from '#shared/rules/units.ts'

/** No frame of a page that is shown takes so long. */
const AT_THE_LATEST: Milliseconds = 500

/**
 * With the next frame, and without it where none comes: nothing is painted in a hidden tab, and a browser may leave a window that it
 * calls visible without frames, behind others or on a screen that sleeps. What is shown there is still to be true.
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
