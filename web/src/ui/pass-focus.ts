/** Moves the focus of a button about to disappear to the first existing candidate (ui.md 8). */
export function passFocus(from: Element, ...to: (Element | null | undefined)[]) {
  if (document.activeElement !== from) return
  const next = to.find(one => one instanceof HTMLElement)
  next?.focus({ preventScroll: true })
}
