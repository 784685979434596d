import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const EXTENSIONS = 'ts,tsx,mts,js,mjs,css,sql,md'
const SKIPPED = /^(node_modules|docs|dist|\..+)$/

/** "What is left …": a relative clause as the subject, or a subject without its noun. */
const OPENING = /^(?:(?:What|Whoever|Whatever|One|Of|So|Nobody|Who) [a-z]|Answer(?:s|ed)\b)/
/** "For which …", "That of …": a fragment whose noun stands elsewhere. Comments only. */
const FRAGMENT = /^(?:(?:For|By|From|In|At|To) wh(?:ich|om)|(?:That|Those) of|Those (?:that|who)|Such as) /
/** A number that is a parameter, and has a name. */
const SO_MANY = /\bso many (?:[a-z]+ )?(?:ago|bytes|days|messages|ms|rows|seconds)\b/i
/** A second verb of a comment, where "returns" is meant. */
const ANSWERS = /[;,] answers\b/

/** A sentence to reword: its file, its line from 1, and its first words. */
export interface Place {
  path: string
  line: number
  text: string
}

/** The sentences of all comments and Markdown files below `root` that open in a way that is hard to read. */
export function proseBelow(root: string): Place[] {
  const files = globSync(`**/*.{${EXTENSIONS}}`, {
    cwd: root,
    exclude: path => SKIPPED.test(path.slice(path.lastIndexOf('/') + 1)),
  })
  return files
    .toSorted()
    .flatMap(path =>
      oddSentences(path, readFileSync(join(root, path), 'utf8')).map(place => ({ path, ...place })),
    )
}

/** The same for one file. The path says how its comments are written. */
export function oddSentences(path: string, source: string): Omit<Place, 'path'>[] {
  const found: Omit<Place, 'path'>[] = []
  const isMarkdown = path.endsWith('.md')
  const proseOf = isMarkdown ? markdown() : comments(path.endsWith('.sql'))
  let opens = true
  for (const [i, line] of source.split('\n').entries()) {
    const { text, starts } = proseOf(line)
    const sentences = text.split(/(?<=[.!?]["'’)]*)\s+(?=[A-Z])/)
    for (const [nth, sentence] of sentences.entries()) {
      const isOpening = isMarkdown ? starts && nth === 0 : starts || opens || nth > 0
      const isOdd = isMarkdown
        ? isOpening && OPENING.test(sentence)
        : (isOpening && (OPENING.test(sentence) || FRAGMENT.test(sentence))) ||
          ANSWERS.test(sentence) ||
          SO_MANY.test(sentence)
      if (isOdd) found.push({ line: i + 1, text: sentence.slice(0, 60) })
    }
    opens = text === '' || /[.!?]["'’)]*$/.test(text)
  }
  return found
}

/** The prose of a line, empty for code; `starts` if a new comment, paragraph or list item begins with it. */
type Reader = (line: string) => { text: string; starts: boolean }

function comments(isSql: boolean): Reader {
  let inBlock = false
  let afterCode = true
  const single = isSql ? /^(.*?)--+\s*(.*)$/ : /^(.*?)(?<!:)\/\/+\s*(.*)$/
  return line => {
    const opensBlock = !inBlock && /^[\s{]*\/\*/.test(line)
    if (opensBlock || inBlock) {
      afterCode = true
      inBlock = !line.includes('*/')
      return { text: line.replace(/^[\s{]*\/?\*+(?!\/)|\*\/.*$/g, '').trim(), starts: opensBlock }
    }
    const [, before = '', text = ''] = single.exec(line) ?? []
    const isString = /['"`]/.test(before.replaceAll(/(['"`]).*?\1/g, ''))
    const starts = afterCode
    afterCode = before.trim() !== '' || text === ''
    return { text: isString ? '' : text.trim(), starts: starts || afterCode }
  }
}

function markdown(): Reader {
  let inCode = false
  let afterBlank = true
  return line => {
    const [, mark = '', text = ''] = /^\s*([-*>]\s|\d+\.\s)?\s*(.*)$/.exec(line) ?? []
    if (text.startsWith('```')) inCode = !inCode
    const starts = afterBlank || mark !== ''
    afterBlank = text === ''
    return { text: inCode || text.startsWith('```') ? '' : text.trim(), starts }
  }
}
