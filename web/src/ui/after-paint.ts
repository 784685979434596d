import { nextFrame } from './next-frame.ts'

/** Once what has just been drawn is on the screen, if anything is painted. */
export function afterPaint(run: () => void) {
  if (document.hidden) setTimeout(run)
  else nextFrame(() => nextFrame(() => setTimeout(run)))
}
