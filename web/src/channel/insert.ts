/** Where one writes, if a channel is open. */
export const composerField = () =>
  document.querySelector<HTMLTextAreaElement>('[data-region="composer"] textarea')

/** Puts a word where the caret stands in the composer, as if it had been typed. */
export function insertIntoComposer(word: string) {
  const area = composerField()
  if (!area) return
  area.focus()
  const { value, selectionStart, selectionEnd } = area
  const gap = /\S$/.test(value.slice(0, selectionStart)) ? ' ' : ''
  area.setRangeText(`${gap}${word} `, selectionStart, selectionEnd, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
