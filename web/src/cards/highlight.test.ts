import { expect } from 'chai'
import { highlight } from './highlight.ts'

/** Coloured pieces in the manner of `kw(let) x`, so that a test can be read. */
const line = (code: string, language: string) =>
  highlight(code, language)
    .map(pieces => pieces.map(({ text, kind }) => (kind ? `${kind}(${text})` : text)).join(''))
    .join('⏎')

const textOf = (code: string, language: string) =>
  highlight(code, language)
    .map(pieces => pieces.map(({ text }) => text).join(''))
    .join('\n')

const LANGUAGES =
  'ts rs go cpp java php py rb sh sql lua json yaml css html md diff dockerfile toml unknown'.split(' ')

describe('colours of code', () => {
  it('are those of the picture (ui.md, main-light.png)', () => {
    expect(line('    let wdt = board.watchdog(8_000);', 'rs')).to.equal(
      '    kw(let) wdt = board.fn(watchdog)(num(8_000));',
    )
    expect(line('match modem.attach(apn).await {   // cold attach', 'rs')).to.equal(
      'kw(match) modem.fn(attach)(apn).kw(await) {   com(// cold attach)',
    )
    expect(line('Err(e) => log::warn!("attach: {e}"),', 'rs')).to.equal(
      'fn(Err)(e) => log::fn(warn!)(str("attach: {e}")),',
    )
  })

  it('know the usual languages', () => {
    const samples: [string, string, string][] = [
      ['ts', "const a: string = f('x') /* y */", "kw(const) a: kw(string) = fn(f)(str('x')) com(/* y */)"],
      ['js', 'x = a / b + /[/"]+/g.test(`c d`)', 'x = a / b + str(/[/"]+/g).fn(test)(str(`c d`))'],
      ['py', 'def f(x): # y\n  return f"z"', 'kw(def) fn(f)(x): com(# y)⏎  kw(return) str(f"z")'],
      ['py', '"""a\nb""" c', 'str("""a)⏎str(b""") c'],
      ['go', 'func main() { x := `a` }', 'kw(func) fn(main)() { x := str(`a`) }'],
      [
        'rust',
        "fn f<'a>(x: &'a str) -> char { 'x' }",
        "kw(fn) f<'a>(x: &'a kw(str)) -> kw(char) { str('x') }",
      ],
      ['c', '#include <x.h>\nint main(void)', 'kw(#include) <x.h>⏎kw(int) fn(main)(kw(void))'],
      ['java', 'public class A { int b = 1; }', 'kw(public) kw(class) A { kw(int) b = num(1); }'],
      ['sh', 'echo "$A" $b # c', 'kw(echo) str("$A") num($b) com(# c)'],
      [
        'sql',
        "SELECT a FROM b -- c\nwhere d = 'e''f'",
        "kw(SELECT) a kw(FROM) b com(-- c)⏎kw(where) d = str('e''f')",
      ],
      ['json', '{"a": ["b", 1, null]}', '{fn("a"): [str("b"), num(1), kw(null)]}'],
      ['yaml', "a: don't # b\n- c-d: 5", "fn(a): don't com(# b)⏎- fn(c-d): num(5)"],
      ['toml', '[a.b]\nc = "d"', 'kw([a.b])⏎fn(c) = str("d")'],
      ['css', '.a { color: #fff; /* b */ }', '.a { fn(color): num(#fff); com(/* b */) }'],
      ['html', '<a href="b">it\'s</a><!-- c -->', 'kw(<a) fn(href)=str("b")>it\'skw(</a)>com(<!-- c -->)'],
      ['md', '# a\n`b` c', 'kw(# a)⏎str(`b`) c'],
      ['diff', '@@ -1 +1 @@\n-a\n+b\n c', 'fn(@@ -1 +1 @@)⏎num(-a)⏎str(+b)⏎ c'],
      ['dockerfile', 'FROM node:24', 'kw(FROM) node:24'],
    ]
    for (const [language, code, expected] of samples)
      expect(line(code, language), language).to.equal(expected)
  })

  it('are none for a language that nobody here speaks', () => {
    expect(line('let x = 1', 'klingon')).to.equal('let x = 1')
    expect(line('let x = 1', '__proto__')).to.equal('let x = 1')
  })

  it('go on over lines, and to the end where nothing closes them', () => {
    expect(line('a /* b\nc */ d', 'ts')).to.equal('a com(/* b)⏎com(c */) d')
    expect(line('a /* b\nc', 'ts')).to.equal('a com(/* b)⏎com(c)')
    expect(line('"a\nb', 'ts')).to.equal('str("a)⏎b')
  })

  it('leave the text as it is, whatever it is', () => {
    const parts = [...'"\'`/*#-<>{}()[]=!@$\\.:;&|+_ \t\n\r'].concat([
      'a',
      'let',
      'r#"',
      '"""',
      '//',
      '/*',
      '*/',
      '<!--',
      '-->',
      '--',
      '[[',
      ']]',
      '${',
      '0x',
      '1e5',
      'ü',
      '😀',
      '\ud83d',
      '\u0301',
      '```',
      '\n#',
    ])
    let seed = 1
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
      return (seed >> 8) % below
    }
    for (let round = 0; round < 300; round++) {
      const code = Array.from({ length: random(60) }, () => parts[random(parts.length)]).join('')
      for (const language of LANGUAGES)
        expect(textOf(code, language), `${language} ${JSON.stringify(code)}`).to.equal(code)
    }
  })

  it('take no longer over a hostile text than over a friendly one', () => {
    const hostile = [
      '"',
      "'",
      '`',
      '/',
      '/*',
      '<!--',
      '(/[',
      '=/[a',
      'r#',
      'r##"',
      '\\',
      '"\\',
      '$',
      '${',
      '#',
      '\n#',
      '\n[',
      '-',
      'a',
      'a.',
      'a-',
      '0',
      '1.',
      ' ',
      '\n',
      '\t',
      '=\t',
      "'''",
      '```\n',
      '&',
      '@',
      '--[[',
      'a:',
      'f!',
      '\n ',
      '{ ',
      'a=',
      'é',
      'a\u0301',
    ]
    for (const piece of hostile) {
      const code = piece.repeat(Math.ceil(20_000 / piece.length))
      for (const language of LANGUAGES) {
        // Its own time, not that of whatever else this machine does.
        const before = process.cpuUsage()
        highlight(code, language)
        expect(process.cpuUsage(before).user / 1_000, `${language} ${JSON.stringify(piece)}`).to.be.below(400)
      }
    }
  }).timeout(60_000)

  it('end somewhere: what is beyond is plain', () => {
    const code = 'let '.repeat(60_000)
    expect(textOf(code, 'ts')).to.equal(code)
    expect(highlight(code, 'ts')[0]!.at(-1)!.kind).to.equal(undefined)
  })
})
