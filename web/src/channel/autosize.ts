const MOST_LINES = 10

/** A field grows with its text, from one line to ten, then scrolls. */
export function fitHeight(area: HTMLTextAreaElement) {
  area.style.height = 'auto'
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(area)
  const most =
    Number.parseFloat(lineHeight) * MOST_LINES +
    Number.parseFloat(paddingTop) +
    Number.parseFloat(paddingBottom)
  area.style.height = `${Math.min(area.scrollHeight, Math.round(most))}px`
  area.style.overflowY = area.scrollHeight > most ? 'auto' : 'hidden'
}
