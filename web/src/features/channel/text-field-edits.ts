import type { RefObject } from 'preact'
import { wrapped } from './completion.ts'

/** Edits of a text field by buttons and keys. `change` is called with the field after each, as after typing. */
export function textFieldEdits(
  field: RefObject<HTMLTextAreaElement | null>,
  change: (area: HTMLTextAreaElement) => void,
) {
  const put = (value: string, start: number, end = start) => {
    const area = field.current!
    area.value = value
    area.setSelectionRange(start, end)
    area.focus()
    change(area)
  }
  return {
    put,
    insert(piece: string) {
      const { value, selectionStart, selectionEnd } = field.current!
      put(value.slice(0, selectionStart) + piece + value.slice(selectionEnd), selectionStart + piece.length)
    },
    format(mark: string) {
      const { value, selectionStart, selectionEnd } = field.current!
      const done = wrapped(value, selectionStart, selectionEnd, mark)
      put(done.text, done.start, done.end)
    },
  }
}
