/** Edits of a message text: marks, links, lists and code (interface 2.10). Pure. */

/** Replaces the characters from `from` to `to`, then selects from `start` to `end`. */
export interface Edit {
  from: number
  to: number
  insert: string
  start: number
  end: number
}

/** Puts marks around the selection, or removes them. */
export function wrapped(text: string, start: number, end: number, mark: string): Edit {
  const inside = text.slice(start, end)
  const length = mark.length
  if (text.slice(0, start).endsWith(mark) && text.slice(end).startsWith(mark))
    return {
      from: start - length,
      to: end + length,
      insert: inside,
      start: start - length,
      end: end - length,
    }
  return { from: start, to: end, insert: mark + inside + mark, start: start + length, end: end + length }
}

const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s<>"]{1,2000}$/i

const isAddress = (text: string) => ADDRESS.test(text) && URL.canParse(text)

/** Makes a link of the selection and selects the part that is missing: its address, or its text. */
export function linked(text: string, start: number, end: number): Edit {
  const inside = text.slice(start, end)
  if (isAddress(inside))
    return { from: start, to: end, insert: `[](${inside})`, start: start + 1, end: start + 1 }
  const address = 'https://'
  const at = start + inside.length + 3
  return { from: start, to: end, insert: `[${inside}](${address})`, start: at, end: at + address.length }
}

/** Makes a link of the selection and a pasted address; undefined if it cannot be one. */
export function linkedTo(text: string, start: number, end: number, pasted: string): Edit | undefined {
  const inside = text.slice(start, end)
  const address = pasted.trim()
  const canBeText = inside.trim() !== '' && inside.length <= 300 && !/[[\]\n]/.test(inside)
  if (!canBeText || !isAddress(address) || isAddress(inside)) return undefined
  // Brackets would end the address.
  const safe = address.replaceAll('(', '%28').replaceAll(')', '%29')
  const insert = `[${inside}](${safe})`
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}

export type LineMark = 'quote' | 'bullets' | 'numbers'

const LINE_MARKS: Record<LineMark, { has: RegExp; mark: (at: number) => string }> = {
  quote: { has: /^> ?/, mark: () => '> ' },
  bullets: { has: /^[-*+•] /, mark: () => '- ' },
  numbers: { has: /^\d{1,9}[.)] /, mark: at => `${at + 1}. ` },
}

const lineStart = (text: string, at: number) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

/** Begins each line of the selection with a mark, or removes the marks if all have one. */
export function withLineMarks(text: string, start: number, end: number, kind: LineMark): Edit {
  const { has, mark } = LINE_MARKS[kind]
  const from = lineStart(text, start)
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const isMarked = lines.every(line => has.test(line))
  const changed = lines.map((line, at) => (isMarked ? line.replace(has, '') : mark(at) + line))
  const insert = changed.join('\n')
  const isCaret = start === end && lines.length === 1
  return { from, to, insert, start: isCaret ? from + insert.length : from, end: from + insert.length }
}

/** Puts the selection into a fence of its own lines, with the caret inside. */
export function fenced(text: string, start: number, end: number): Edit {
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n'
  const after = end === text.length || text[end] === '\n' ? '' : '\n'
  const inside = text.slice(start, end)
  const open = `${before}\`\`\`\n`
  const at = start + open.length
  return {
    from: start,
    to: end,
    insert: `${open}${inside}\n\`\`\`${after}`,
    start: at,
    end: at + inside.length,
  }
}

/** A pasted text that stays inside a fence: lines that would close it are indented too far for that. */
export const insideFence = (pasted: string) => pasted.replaceAll(/^(?=(?:```|~~~))/gm, '    ')

const ITEM = /^(\s*(?:[-*+•] |> ?))(.*)$/
const NUMBERED = /^(\s*)(\d{1,9})([.)]) (.*)$/

/** A line break in a list or quote: the next line has the mark, too. In an empty item it ends the list. */
export function continuedLine(text: string, caret: number): Edit | undefined {
  const from = lineStart(text, caret)
  const line = text.slice(from, caret)
  const [, mark, rest] = ITEM.exec(line) ?? []
  const [, indent = '', number, sign, item] = NUMBERED.exec(line) ?? []
  const written = rest ?? item
  if (written === undefined) return undefined
  if (written.trim() === '') return { from, to: caret, insert: '', start: from, end: from }
  const insert = `\n${mark ?? `${indent}${Number(number) + 1}${sign} `}`
  return { from: caret, to: caret, insert, start: caret + insert.length, end: caret + insert.length }
}

const INDENT = '  '
const IN_LIST = /^\s*(?:[-*+•]|\d{1,9}[.)]) /

/** Moves the items of the selection by a level; undefined where there is none to move, so that Tab leaves the field. */
export function indented(text: string, start: number, end: number, isBack: boolean): Edit | undefined {
  const from = lineStart(text, start)
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  if (!lines.every(line => IN_LIST.test(line))) return undefined
  const changed = lines.map(line => (isBack ? line.replace(/^(?: {1,2}|\t)/, '') : INDENT + line))
  const insert = changed.join('\n')
  if (insert === text.slice(from, to)) return undefined
  const moved = changed[0]!.length - lines[0]!.length
  const last = insert.length - (to - from)
  return { from, to, insert, start: Math.max(from, start + moved), end: Math.max(from, end + last) }
}
