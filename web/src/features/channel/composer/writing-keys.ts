/** Keys and pasting while a text is written, in the composer and in the box of an edit. */
import { pressedIn } from '../../../common/pressed.ts'
import { enterSends, isInFence } from './enter-sends.ts'
import { applyFormat, formatOf } from './formats.ts'
import { markupOf } from './paste-markup.ts'
import { applyEdit } from './text-field-edits.ts'
import { continuedLine, indented, insideFence, linkedTo } from './text-marks.ts'

/** Returns `send` if the key sends; handles formats and line breaks. */
export function onWritingKey(event: KeyboardEvent, area: HTMLTextAreaElement): 'send' | undefined {
  const pressed = pressedIn('composer', event)
  if (pressed === 'pastePlain') notePlainPaste()
  if (pressed === 'sendAlways' || (pressed === 'send' && enterSends(area))) {
    event.preventDefault()
    return 'send'
  }
  if (pressed === 'send' || pressed === 'newLine') return breakLine(event, area)
  if (event.key === 'Tab') return indentLine(event, area)
  const format = formatOf(pressed)
  // Ctrl+K without a selection opens the switcher.
  if (!format || (format.id === 'link' && area.selectionStart === area.selectionEnd)) return undefined
  event.preventDefault()
  applyFormat(area, format)
  return undefined
}

function breakLine(event: KeyboardEvent, area: HTMLTextAreaElement): undefined {
  if (area.selectionStart !== area.selectionEnd || isInFence(area)) return
  const edit = continuedLine(area.value, area.selectionStart)
  if (!edit) return
  event.preventDefault()
  applyEdit(area, edit)
}

function indentLine(event: KeyboardEvent, area: HTMLTextAreaElement): undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || isInFence(area)) return
  const edit = indented(area.value, area.selectionStart, area.selectionEnd, event.shiftKey)
  if (!edit) return
  event.preventDefault()
  applyEdit(area, edit)
}

let isPlainPaste = false

/** A paste event does not tell whether it came with Shift. */
function notePlainPaste() {
  isPlainPaste = true
  addEventListener(
    'keyup',
    () => {
      isPlainPaste = false
    },
    { once: true },
  )
}

/**
 * An address over a selection makes a link, rich text becomes marks, and a text pasted into a code fence stays code. Ctrl+Z
 * takes it back.
 */
export function onPasteText(event: ClipboardEvent, area: HTMLTextAreaElement) {
  const pasted = event.clipboardData?.getData('text/plain') ?? ''
  const { value, selectionStart: from, selectionEnd: to } = area
  if (isInFence(area)) {
    const insert = insideFence(pasted)
    if (insert === pasted) return
    event.preventDefault()
    applyEdit(area, { from, to, insert, start: from + insert.length, end: from + insert.length })
  } else if (!isPlainPaste) {
    const link = linkedTo(value, from, to, pasted)
    const html = link ? '' : (event.clipboardData?.getData('text/html') ?? '')
    if (!link && !MAY_BE_RICH.test(html)) return
    event.preventDefault()
    if (link) applyEdit(area, link)
    else {
      const insert = markupOf(html.slice(0, LONGEST_HTML)) ?? pasted
      applyEdit(area, { from, to, insert, start: from + insert.length, end: from + insert.length })
    }
  }
}

/** Tags and styles that mean more than the plain text says. */
const MAY_BE_RICH =
  /<(?:a|b|strong|i|em|s|del|strike|li|td|th|pre|code|blockquote|h[1-6])[\s>]|MsoList|font-weight/i
/** Characters of HTML: a text of ten thousand characters with the styles of a word processor. */
const LONGEST_HTML = 2_000_000
