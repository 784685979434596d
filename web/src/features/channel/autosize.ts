const MOST_LINES = 10

/** With CSS support no measuring is needed on every key (Composer.css). */
const isDoneByBrowser = CSS.supports('field-sizing', 'content') && CSS.supports('height', '1lh')

/** Grows a field with its text from one line to ten; beyond that it scrolls. */
export function fitHeight(area: HTMLTextAreaElement) {
  if (isDoneByBrowser) return
  area.style.height = 'auto'
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(area)
  const most =
    Number.parseFloat(lineHeight) * MOST_LINES +
    Number.parseFloat(paddingTop) +
    Number.parseFloat(paddingBottom)
  area.style.height = `${Math.min(area.scrollHeight, Math.round(most))}px`
  area.style.overflowY = area.scrollHeight > most ? 'auto' : 'hidden'
}
