import { applyEdit } from './text-field-edits.ts'
import { type Edit, fenced, linked, withLineMarks, wrapped } from './text-marks.ts'

export type FormatId =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'link'
  | 'quote'
  | 'bullets'
  | 'numbers'
  | 'code'
  | 'codeBlock'

export interface Format {
  id: FormatId
  icon: string
  /** An example in marks (interface 2.10). */
  example: string
  /** Begins a group of the bar. */
  apart?: true
  edit: (text: string, start: number, end: number) => Edit
}

const mark = (sign: string) => (text: string, start: number, end: number) => wrapped(text, start, end, sign)

/** The formats of the bar; those with keys have the id of their shortcut. */
export const FORMATS: readonly Format[] = [
  { id: 'bold', icon: 'bold', example: '*a*', edit: mark('*') },
  { id: 'italic', icon: 'italic', example: '_a_', edit: mark('_') },
  { id: 'strike', icon: 'strike', example: '~a~', edit: mark('~') },
  { id: 'link', icon: 'link', example: '[a](https://…)', apart: true, edit: linked },
  { id: 'quote', icon: 'quote', example: '> a', edit: (...at) => withLineMarks(...at, 'quote') },
  { id: 'bullets', icon: 'list', example: '- a', edit: (...at) => withLineMarks(...at, 'bullets') },
  { id: 'numbers', icon: 'list-num', example: '1. a', edit: (...at) => withLineMarks(...at, 'numbers') },
  { id: 'code', icon: 'code', example: '`a`', apart: true, edit: mark('`') },
  { id: 'codeBlock', icon: 'codeblock', example: '```', edit: fenced },
]

export const formatOf = (id: string | undefined) => FORMATS.find(one => one.id === id)

/** Formats the selection of a text field. */
export function applyFormat(area: HTMLTextAreaElement, { edit }: Format) {
  applyEdit(area, edit(area.value, area.selectionStart, area.selectionEnd))
}
