import { expect } from 'chai'
import fc from 'fast-check'
import { codePreview, languageOf, textOf } from './code-preview.ts'

const LINK = {
  filename: 'pump.py',
  filepath: 'src/pump.py',
  url: 'https://x.example/',
  mostLines: 40,
  context: 3,
}
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

describe('the language of a file', () => {
  const CASES: [filename: string, language: string | undefined][] = [
    ['pump.py', 'py'],
    ['Pump.PY', 'py'],
    ['a.b.test.tsx', 'tsx'],
    ['notes.txt', 'txt'],
    ['Dockerfile', 'dockerfile'],
    ['Dockerfile.dev', 'dockerfile'],
    ['Makefile', 'makefile'],
    ['Makefile.am', 'makefile'],
    ['LICENSE', 'license'],
    ['.gitignore', 'gitignore'],
    ['go.mod', 'mod'],
    ['lamp.png', undefined],
    ['setup.exe', undefined],
    ['archive.tar.gz', undefined],
    ['py', undefined],
    ['.py', 'py'],
    ['pump.', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['a.constructor', undefined],
  ]
  for (const [filename, language] of CASES) {
    it(`${JSON.stringify(filename)} is ${language ?? 'not known to be text'}`, () => {
      expect(languageOf(filename)).to.equal(language)
    })
  }
})

describe('the code card (interface 2.9)', () => {
  it('has exactly the fields of the interface', () => {
    expect(codePreview({ ...LINK, text: 'a\nb\n', lines: { start: 2, end: 2 } })).to.deep.equal({
      type: 'code',
      filename: 'pump.py',
      filepath: 'src/pump.py',
      language: 'py',
      first_line_num: 1,
      highlight_start: 2,
      highlight_end: 2,
      code: 'a\nb',
      total_lines: 2,
      url: 'https://x.example/',
    })
  })

  type Lines = [number, number] | undefined
  const CASES: [why: string, total: number, named: Lines, highlight: Lines, shown: [number, number]][] = [
    ['no lines named: the first forty', 100, undefined, undefined, [1, 40]],
    ['a short file is whole', 5, undefined, undefined, [1, 5]],
    ['one line, with three on each side', 100, [50, 50], [50, 50], [47, 53]],
    ['near the beginning', 100, [2, 2], [2, 2], [1, 5]],
    ['near the end', 100, [99, 99], [99, 99], [96, 100]],
    ['a range', 100, [10, 20], [10, 20], [7, 23]],
    ['a range that just fits', 100, [10, 43], [10, 43], [7, 46]],
    ['a range that does not fit', 100, [10, 90], [10, 90], [7, 46]],
    ['the wrong way round', 100, [20, 10], [10, 20], [7, 23]],
    ['over the end', 12, [10, 500], [10, 12], [7, 12]],
    ['behind the end: as if none were named', 12, [13, 20], undefined, [1, 12]],
    ['beyond all measure', 12, [999_999_999, 999_999_999], undefined, [1, 12]],
    ['line zero', 12, [0, 0], undefined, [1, 12]],
    ['from line zero', 12, [0, 2], [1, 2], [1, 5]],
    ['an empty file', 0, [1, 1], undefined, [1, 0]],
  ]
  for (const [why, total, named, highlight, [first, last]] of CASES) {
    it(`shows the right lines: ${why}`, () => {
      const lines = named && { start: named[0], end: named[1] }
      const card = codePreview({ ...LINK, text: numbered(total), lines })

      const expected = Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`)
      expect(card.code).to.equal(expected.join('\n'))
      expect(card).to.include({
        first_line_num: first,
        highlight_start: highlight?.[0] ?? null,
        highlight_end: highlight?.[1] ?? null,
        total_lines: total,
      })
    })
  }

  it('counts lines with any line end, and no empty line after the last', () => {
    expect(codePreview({ ...LINK, text: 'a\r\nb\rc\n\nd' })).to.include({
      code: 'a\nb\nc\n\nd',
      total_lines: 5,
    })
    expect(codePreview({ ...LINK, text: 'a\n\n' })).to.include({ code: 'a\n', total_lines: 2 })
  })

  it('keeps tabs, drops control characters, and replaces bidirectional marks', () => {
    const text = '\tif (x) {\u001b[31m}\u202e // \u2066admin\n'
    expect(codePreview({ ...LINK, text }).code).to.equal('\tif (x) {[31m}\ufffd // \ufffdadmin')
  })

  it('cuts very long lines', () => {
    const { code } = codePreview({ ...LINK, text: `${'x'.repeat(500_000)}\nshort` })
    expect(code).to.equal(`${'x'.repeat(1_000)}…\nshort`)
  })

  it('names a language for files that only their host declares as text', () => {
    expect(codePreview({ ...LINK, text: 'a', filename: 'pump.newlang' }).language).to.equal('newlang')
    expect(codePreview({ ...LINK, text: 'a', filename: 'pump' }).language).to.equal('text')
    expect(codePreview({ ...LINK, text: 'a', filename: 'a.<b>"' }).language).to.equal('text')
  })

  it('cleans and bounds names', () => {
    const card = codePreview({
      ...LINK,
      text: 'a',
      filename: `\u202e${'n'.repeat(999)}.py`,
      filepath: 'p/'.repeat(999),
    })
    expect(card.filename).to.match(/^n{254}…$/)
    expect(card.filepath).to.have.length(1_024)
  })

  it('never shows more than was asked for, with random input', () => {
    const line = fc.nat({ max: 200 })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), line, line, (text, start, end) => {
        const card = codePreview({ ...LINK, text: text.replaceAll('a', '\n'), lines: { start, end } })
        expect(card.code.split('\n').length).to.be.at.most(40)
        if (card.highlight_start !== null) {
          expect(card.first_line_num).to.be.at.most(card.highlight_start)
          expect(card.highlight_end).to.be.within(card.highlight_start, card.total_lines)
        }
      }),
    )
  })
})

describe('the text of a file', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map(part => Buffer.from(part as string)))

  it('is UTF-8, with or without a byte order mark', () => {
    expect(textOf(bytes('größer\n'))).to.equal('größer\n')
    expect(textOf(bytes([0xef, 0xbb, 0xbf], 'a'))).to.equal('a')
    expect(textOf(bytes(''))).to.equal('')
  })

  it('is undefined for binary data and other encodings', () => {
    expect(textOf(bytes('a', [0], 'b'))).to.equal(undefined)
    expect(textOf(bytes([0x67, 0x72, 0xf6, 0xdf]))).to.equal(undefined)
    expect(textOf(bytes([0xff, 0xfe, 0x61, 0x00]))).to.equal(undefined)
    // Half a character at the end of an uncut file.
    expect(textOf(bytes('a', [0xc3]))).to.equal(undefined)
  })

  it('ends with the last whole line when it was cut', () => {
    expect(textOf(bytes('one\ntwo\nthr'), true)).to.equal('one\ntwo\n')
    expect(textOf(bytes('one\ntwo', [0xc3]), true)).to.equal('one\n')
    expect(textOf(bytes('one long line', [0xe2, 0x82]), true)).to.equal('one long line')
    expect(textOf(bytes('one\nt', [0xff], 'wo'), true)).to.equal(undefined)
  })

  it('is cut at 512 KiB', () => {
    const text = textOf(Buffer.from('0123456789abcde\n'.repeat(40_000)))
    expect(text).to.have.length(512 * 1_024)
  })
})
