import { expect } from 'chai'
import fc from 'fast-check'
import { highlight } from './highlight.ts'

/** Coloured pieces written as `kw(let) x`. */
const line = (code: string, language: string) =>
  highlight(code, language)
    .map(pieces => pieces.map(({ text, kind }) => (kind ? `${kind}(${text})` : text)).join(''))
    .join('⏎')

describe('colours of code', () => {
  it('match the tokens (ui.md 3.1)', () => {
    expect(line('    let wdt = board.watchdog(8_000);', 'rs')).to.equal(
      '    kw(let) wdt = board.fn(watchdog)(num(8_000));',
    )
    expect(line('match modem.attach(apn).await {   // cold attach', 'rs')).to.equal(
      'kw(match) modem.fn(attach)(apn).kw(await) {   com(// cold attach)',
    )
  })

  it('cover the usual languages by extension, name and fence label', () => {
    const samples: [languages: string, code: string, expected: string][] = [
      ['ts tsx typescript', "const a = f('x') /* y */", "kw(const) a = fn(f)(str('x')) com(/* y */)"],
      ['js mjs cjs', 'a / /[/"]+/g.test(`c`)', 'a / str(/[/"]+/g).fn(test)(str(`c`))'],
      ['py python pyi', 'def f(x): # y\n  return 1', 'kw(def) fn(f)(x): com(# y)⏎  kw(return) num(1)'],
      ['go golang', 'func main() { x := `a` }', 'kw(func) fn(main)() { x := str(`a`) }'],
      ['java', 'public class A { int b = 1; }', 'kw(public) kw(class) fn(A) { kw(int) b = num(1); }'],
      ['sh bash zsh profile', 'if foo; then # c', 'kw(if) foo; kw(then) com(# c)'],
      ['sql psql', "SELECT a -- c\nwhere d = 'e'", "kw(SELECT) a com(-- c)⏎kw(where) d = str('e')"],
      ['json geojson', '{"a": ["b", 1, null]}', '{fn("a"): [str("b"), num(1), kw(null)]}'],
      ['yaml yml', 'c-d: 5 # b', 'fn(c-d:) num(5) com(# b)'],
      ['toml ini editorconfig', '[a.b]\nc = "d"', 'kw([a.b])⏎fn(c) = str("d")'],
      ['css', '.a { color: #fff; /* b */ }', 'fn(.a) { fn(color): num(#fff); com(/* b */) }'],
      ['html xml vue svg', '<a href="b">c</a>', 'kw(<a )fn(href)kw(=)str("b")kw(>)ckw(</a>)'],
      ['md markdown readme', '# a\n`b` c', 'kw(# a)⏎str(`b`) c'],
      ['diff patch', '@@ -1 +1 @@\n-a\n+b\n c', 'kw(@@ -1 +1 @@)⏎num(-a)⏎str(+b)⏎ c'],
      ['dockerfile docker containerfile', 'FROM node:24', 'kw(FROM) node:num(24)'],
      ['kt kotlin', 'val a = 1', 'kw(val) a = num(1)'],
      ['hs haskell', 'module A where', 'kw(module) A kw(where)'],
    ]
    for (const [languages, code, expected] of samples)
      for (const language of languages.split(' ')) expect(line(code, language), language).to.equal(expected)
  })

  it('are absent for an unknown language', () => {
    expect(line('let x = 1', 'klingon')).to.equal('let x = 1')
    expect(line('let x = 1', '__proto__')).to.equal('let x = 1')
  })

  it('continue over lines, and to the end without a closing mark', () => {
    expect(line('a /* b\nc */ d', 'ts')).to.equal('a com(/* b)⏎com(c */) d')
    expect(line('a /* b\n\nc', 'ts')).to.equal('a com(/* b)⏎⏎com(c)')
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
