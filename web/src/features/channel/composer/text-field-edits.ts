import type { RefObject } from 'preact'
import type { Edit } from './text-marks.ts'

/** Edits of a text field by buttons and keys. The field gets an input event for each, as for typing. */
export function textFieldEdits(field: RefObject<HTMLTextAreaElement | null>) {
  return {
    put(text: string, caret: number) {
      replaceText(field.current!, text)
      field.current!.setSelectionRange(caret, caret)
    },
    insert(piece: string, focus = true) {
      const area = field.current!
      if (focus) area.focus()
      type(area, piece)
    },
  }
}

export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit) {
  area.focus()
  area.setSelectionRange(from, to)
  type(area, insert)
  area.setSelectionRange(start, end)
}

/** Replaces the whole text; the caret is at its end. */
export function replaceText(area: HTMLTextAreaElement, text: string) {
  applyEdit(area, { from: 0, to: area.value.length, insert: text, start: text.length, end: text.length })
}

/** Replaces the selection. The command, unlike `setRangeText`, keeps the history of Undo; it needs the focus. */
function type(area: HTMLTextAreaElement, piece: string) {
  const { selectionStart, selectionEnd } = area
  if (piece === '' && selectionStart === selectionEnd) return
  const isDone =
    document.activeElement === area &&
    (piece === '' ? document.execCommand('delete') : document.execCommand('insertText', false, piece))
  if (isDone) return
  area.setRangeText(piece, selectionStart, selectionEnd, 'end')
  area.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
