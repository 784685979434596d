import { expect } from 'chai'
import { endsInFence } from '#shared/domain/text-blocks.ts'
import {
  continuedLine,
  type Edit,
  fenced,
  indented,
  insideFence,
  linked,
  linkedTo,
  withLineMarks,
  wrapped,
} from './text-marks.ts'

/** The text after an edit, with `[` and `]` around the selection, or `|` at the caret. */
function shown(text: string, edit: Edit | undefined) {
  if (!edit) return undefined
  const { from, to, insert, start, end } = edit
  const result = text.slice(0, from) + insert + text.slice(to)
  if (start === end) return `${result.slice(0, start)}|${result.slice(start)}`
  return `${result.slice(0, start)}«${result.slice(start, end)}»${result.slice(end)}`
}

/** Applies an edit at the selection `«…»`, or at the caret `|`. */
function at(marked: string, edit: (text: string, start: number, end: number) => Edit | undefined) {
  const start = marked.search(/[«|]/)
  const text = marked.replace(/[«|]/, '').replace('»', '')
  const end = marked.includes('»') ? marked.indexOf('»') - 1 : start
  return shown(text, edit(text, start, end))
}

describe('the formats of a text', () => {
  it('put marks around the selection, and remove them the second time', () => {
    const bold = (text: string, start: number, end: number) => wrapped(text, start, end, '*')
    expect(at('a «word»', bold)).to.equal('a *«word»*')
    expect(at('a *«word»*', bold)).to.equal('a «word»')
    expect(at('a |', bold)).to.equal('a *|*')
  })

  it('make a link and select the missing part', () => {
    expect(at('see «this»', linked)).to.equal('see [this](«https://»)')
    expect(at('see «https://a.example/b»', linked)).to.equal('see [|](https://a.example/b)')
  })

  it('mark the lines of the selection, and remove the marks the second time', () => {
    const bullets = (text: string, start: number, end: number) => withLineMarks(text, start, end, 'bullets')
    const numbers = (text: string, start: number, end: number) => withLineMarks(text, start, end, 'numbers')
    const quote = (text: string, start: number, end: number) => withLineMarks(text, start, end, 'quote')
    expect(at('a«b\nc»d\ne', bullets)).to.equal('«- ab\n- cd»\ne')
    expect(at('«- ab\n- cd»', bullets)).to.equal('«ab\ncd»')
    expect(at('«a\nb»', numbers)).to.equal('«1. a\n2. b»')
    expect(at('one|', quote)).to.equal('> one|')
  })

  it('indent the items of a list, and move them back', () => {
    const indent = (text: string, start: number, end: number) => indented(text, start, end, false)
    const back = (text: string, start: number, end: number) => indented(text, start, end, true)
    expect(at('- a\n- b|', indent)).to.equal('- a\n  - b|')
    expect(at('- a\n  - b|', back)).to.equal('- a\n- b|')
    expect(at('«1. a\n2. b»', indent)).to.equal('  «1. a\n  2. b»')
    expect(at('- a|', back), 'Shift+Tab leaves the field').to.equal(undefined)
    expect(at('plain|', indent)).to.equal(undefined)
  })

  it('put code on lines of its own', () => {
    expect(at('a «b» c', fenced)).to.equal('a \n```\n«b»\n```\n c')
    expect(at('|', fenced)).to.equal('```\n|\n```')
  })
})

describe('a pasted address', () => {
  const paste = (address: string) => (text: string, start: number, end: number) =>
    linkedTo(text, start, end, address)

  it('makes a link of the selection', () => {
    expect(at('see «this page» now', paste(' https://a.example/b '))).to.equal(
      'see [this page](https://a.example/b)| now',
    )
    expect(at('«x»', paste('https://a.example/b_(c)'))).to.equal('[x](https://a.example/b_%28c%29)|')
  })

  it('replaces the selection if one of both cannot be part of a link', () => {
    expect(at('«a\nb»', paste('https://a.example'))).to.equal(undefined)
    expect(at('«https://b.example»', paste('https://a.example'))).to.equal(undefined)
    expect(at('«x»', paste('no address'))).to.equal(undefined)
    expect(at('«x»', paste('javascript:alert(1)'))).to.equal(undefined)
  })
})

describe('code fences', () => {
  it('keep a pasted text that contains a fence', () => {
    const pasted = insideFence('a\n```\nb')
    expect(endsInFence(`\`\`\`\n${pasted}`)).to.equal(true)
  })
})

describe('a line break', () => {
  const broken = (text: string) => at(text, (all, caret) => continuedLine(all, caret))

  it('continues lists and quotes', () => {
    expect(broken('- one|')).to.equal('- one\n- |')
    expect(broken('9. one|')).to.equal('9. one\n10. |')
    expect(broken('> one|')).to.equal('> one\n> |')
    expect(broken('a\n- one| two')).to.equal('a\n- one\n- | two')
  })

  it('ends them in an empty item', () => {
    expect(broken('- one\n- |')).to.equal('- one\n|')
    expect(broken('1. |')).to.equal('|')
  })

  it('is ordinary elsewhere', () => {
    expect(broken('one|')).to.equal(undefined)
    expect(broken('|- one')).to.equal(undefined)
  })
})
