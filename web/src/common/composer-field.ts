/** Returns null when no channel is open. */
export const composerField = () =>
  document.querySelector<HTMLTextAreaElement>('[data-region="composer"] textarea')

/** Inserts a word at the caret of the composer, as if typed. */
export function insertIntoComposer(word: string) {
  const area = composerField()
  if (!area) return
  area.focus()
  const { value, selectionStart, selectionEnd } = area
  const gap = /\S$/.test(value.slice(0, selectionStart)) ? ' ' : ''
  area.setRangeText(`${gap}${word} `, selectionStart, selectionEnd, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
