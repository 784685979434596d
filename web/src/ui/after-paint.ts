/** Once what has just been drawn is on the screen. Nothing is painted in a tab that nobody looks at. */
export function afterPaint(run: () => void) {
  if (document.hidden) setTimeout(run)
  else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(run)))
}
