import { nextFrame } from './next-frame.ts'

/** Runs after the next paint; a hidden page has none to wait for. */
export function afterPaint(run: () => void) {
  if (document.hidden) setTimeout(run)
  else nextFrame(() => nextFrame(() => setTimeout(run)))
}
