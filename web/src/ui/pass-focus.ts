/** For a button that goes away with what it belongs to: the focus goes to the first of these that is there (ui.md 8). */
export function passFocus(from: Element, ...to: (Element | null | undefined)[]) {
  if (document.activeElement !== from) return
  const next = to.find(one => one instanceof HTMLElement)
  next?.focus({ preventScroll: true })
}
