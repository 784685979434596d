import { expect } from 'chai'
import fc from 'fast-check'
import { highlight } from './highlight.ts'

/** Coloured pieces written as `keyword(let) x`. */
const line = (code: string, language: string) =>
  highlight(code, language)
    .map(pieces => pieces.map(({ text, kind }) => (kind ? `${kind}(${text})` : text)).join(''))
    .join('⏎')

describe('colours of code', () => {
  it('match the tokens (ui.md 3.1)', () => {
    expect(line('    let wdt = board.watchdog(8_000);', 'rs')).to.equal(
      '    keyword(let) wdt = board.function(watchdog)(number(8_000));',
    )
    expect(line('match modem.attach(apn).await {   // cold attach', 'rs')).to.equal(
      'keyword(match) modem.function(attach)(apn).keyword(await) {   comment(// cold attach)',
    )
  })

  it('cover the usual languages by extension, name and fence label', () => {
    const samples: [languages: string, code: string, expected: string][] = [
      [
        'ts tsx typescript',
        "const a = f('x') /* y */",
        "keyword(const) a = function(f)(string('x')) comment(/* y */)",
      ],
      ['js mjs cjs', 'a / /[/"]+/g.test(`c`)', 'a / string(/[/"]+/g).function(test)(string(`c`))'],
      [
        'py python pyi',
        'def f(x): # y\n  return 1',
        'keyword(def) function(f)(x): comment(# y)⏎  keyword(return) number(1)',
      ],
      ['go golang', 'func main() { x := `a` }', 'keyword(func) function(main)() { x := string(`a`) }'],
      [
        'java',
        'public class A { int b = 1; }',
        'keyword(public) keyword(class) function(A) { keyword(int) b = number(1); }',
      ],
      ['sh bash zsh profile', 'if foo; then # c', 'keyword(if) foo; keyword(then) comment(# c)'],
      [
        'sql psql',
        "SELECT a -- c\nwhere d = 'e'",
        "keyword(SELECT) a comment(-- c)⏎keyword(where) d = string('e')",
      ],
      ['json geojson', '{"a": ["b", 1, null]}', '{function("a"): [string("b"), number(1), keyword(null)]}'],
      ['yaml yml', 'c-d: 5 # b', 'function(c-d:) number(5) comment(# b)'],
      ['toml ini editorconfig', '[a.b]\nc = "d"', 'keyword([a.b])⏎function(c) = string("d")'],
      [
        'css',
        '.a { color: #fff; /* b */ }',
        'function(.a) { function(color): number(#fff); comment(/* b */) }',
      ],
      [
        'html xml vue svg',
        '<a href="b">c</a>',
        'keyword(<a )function(href)keyword(=)string("b")keyword(>)ckeyword(</a>)',
      ],
      ['md markdown readme', '# a\n`b` c', 'keyword(# a)⏎string(`b`) c'],
      ['diff patch', '@@ -1 +1 @@\n-a\n+b\n c', 'keyword(@@ -1 +1 @@)⏎number(-a)⏎string(+b)⏎ c'],
      ['dockerfile docker containerfile', 'FROM node:24', 'keyword(FROM) node:number(24)'],
      ['kt kotlin', 'val a = 1', 'keyword(val) a = number(1)'],
      ['hs haskell', 'module A where', 'keyword(module) A keyword(where)'],
    ]
    for (const [languages, code, expected] of samples)
      for (const language of languages.split(' ')) expect(line(code, language), language).to.equal(expected)
  })

  it('are absent for an unknown language', () => {
    expect(line('let x = 1', 'klingon')).to.equal('let x = 1')
    expect(line('let x = 1', '__proto__')).to.equal('let x = 1')
  })

  it('continue over lines, and to the end without a closing mark', () => {
    expect(line('a /* b\nc */ d', 'ts')).to.equal('a comment(/* b)⏎comment(c */) d')
    expect(line('a /* b\n\nc', 'ts')).to.equal('a comment(/* b)⏎⏎comment(c)')
  })

  it('never change the text', () => {
    const parts =
      '" \' ` / /* */ // <!-- --> -- [[ ]] $ { } ( ) = ! # < > \\ \n \r \t 0x 1e5 a let r#" """ ü 😀 \ud83d \u0301'
    const code = fc.array(fc.constantFrom(...parts.split(' '), ' ', '\n'), { maxLength: 60 })
    const language = fc.constantFrom(
      ...'ts rs go cpp py rb sh sql lua json yaml css html md diff toml none'.split(' '),
    )
    fc.assert(
      fc.property(code, language, (pieces, name) => {
        const text = pieces.join('')
        const after = highlight(text, name).map(line => line.map(piece => piece.text).join(''))
        expect(after.join('\n')).to.equal(text)
      }),
      { numRuns: 2_000 },
    )
  })
})
