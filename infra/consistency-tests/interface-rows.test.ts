import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'

/** Sections of the interface that must have rows. */
const SECTIONS = [
  ...['3.1', '3.2', '3.3', '3.4', '3.5', '3.6'],
  ...['4.1', '4.2', '4.3', '4.3.1', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '4.10', '4.11'],
  ...['5', '6', '7', '8'],
]

interface Row {
  section: string
  says: string
  file: string
  words: string
}

describe('the table of interface rows', () => {
  const rows = rowsIn(readFileSync(join(ROOT, 'infra/consistency-tests/interface-rows.md'), 'utf8'))

  it('has rows for each section', () => {
    expect([...new Set(rows.map(row => row.section))]).to.have.members(SECTIONS)
  })

  it('has a test for each row', () => {
    expect(rows.map(faultOf).filter(fault => fault !== undefined)).to.deep.equal([])
  })
})

/** Returns why no test matches the row, or undefined if one does. */
function faultOf({ section, says, file, words }: Row): string | undefined {
  const row = `${section}: ${says}`
  if (words === '') return `${row}: the row has no words of a title`
  if (!existsSync(join(ROOT, file))) return `${row}: there is no file ${file}`
  const titles = titlesIn(readFileSync(join(ROOT, file), 'utf8'))
  if (!titles.some(title => title.includes(words))) return `${row}: no test in ${file} is titled “${words}”`
  if (!titles.some(title => sectionsNamedIn(title).includes(section)))
    return `${row}: no title in ${file} names interface ${section}`
  return undefined
}

function rowsIn(page: string): Row[] {
  return page
    .split('\n')
    .filter(line => /^\| \d/.test(line))
    .map(line => {
      const [, section, says, file, words] = line.split('|').map(cell => cell.trim())
      return { section: section!, says: says!, file: file!, words: words! }
    })
}

/** Titles of describe(), it() and of tests written as `'title': async () => …`. */
function titlesIn(source: string): string[] {
  const called = source.matchAll(/\b(?:describe|it)\(\s*(['"`])(.*?)\1\s*,/gs)
  const keyed = source.matchAll(/^\s+(['"])(.*?)\1:\s*async/gms)
  return [...called, ...keyed].map(([, , title]) => title!)
}

/** `(interface 4.1, 5)`: 4.1 and 5. */
function sectionsNamedIn(title: string): string[] {
  const [, named = ''] = /interface ([\d., ]+)/.exec(title) ?? []
  return named.split(/[, ]+/).map(section => section.replace(/\.$/, ''))
}
