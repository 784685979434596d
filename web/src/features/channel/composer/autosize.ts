const MOST_LINES = 10

/** With CSS support no measuring is needed on every key (Composer.css). */
const isDoneByBrowser = CSS.supports('field-sizing', 'content') && CSS.supports('height', '1lh')

/** Grows a field with its text from one line to ten; beyond that it scrolls. */
export function fitHeight(area: HTMLTextAreaElement) {
  if (isDoneByBrowser) return
  area.style.height = 'auto'
  const { lineHeight, borderTopWidth, borderBottomWidth } = getComputedStyle(area)
  const borders = Number.parseFloat(borderTopWidth) + Number.parseFloat(borderBottomWidth)
  const most = Number.parseFloat(lineHeight) * MOST_LINES
  area.style.height = `${Math.min(area.scrollHeight, Math.round(most)) + borders}px`
  area.style.overflowY = area.scrollHeight > most ? 'auto' : 'hidden'
}
