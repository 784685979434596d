import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { pageText } from './page-text.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map(part => Buffer.from(part as string)))

/** „Schön“ or a similar word in each encoding. */
const WRITTEN: Record<string, [bytes: number[], text: string]> = {
  'utf-8': [[0xc3, 0xa4, 0xe2, 0x82, 0xac], 'ä€'],
  'iso-8859-1': [[0xe4, 0x80], 'ä€'],
  'iso-8859-2': [[0xb1, 0xe6], 'ąć'],
  'windows-1251': [[0xcf, 0xf0], 'Пр'],
  'koi8-r': [[0xf0, 0xd2], 'Пр'],
  shift_jis: [[0x83, 0x5c, 0x94, 0x5c], 'ソ能'],
  'euc-jp': [[0xc6, 0xfc, 0xcb, 0xdc], '日本'],
  gbk: [[0xd6, 0xd0, 0xce, 0xc4], '中文'],
  gb2312: [[0xd6, 0xd0, 0xce, 0xc4], '中文'],
  big5: [[0xa4, 0xa4, 0xa4, 0xe5], '中文'],
  'euc-kr': [[0xc7, 0xd1, 0xb1, 0xdb], '한글'],
}

describe('the text of a page', () => {
  for (const [label, [written, text]] of Object.entries(WRITTEN)) {
    it(`is read as ${label} when the header says so`, () => {
      expect(pageText(bytes('<p>', written), label)).to.equal(`<p>${text}`)
    })
    it(`is read as ${label} when the page says so`, () => {
      const short = bytes(`<head><META CharSet="${label.toUpperCase()}">`, written)
      expect(pageText(short, undefined)).to.match(new RegExp(`>${text}$`))
      const long = bytes(`<meta content='text/html; charset=${label}' http-equiv=Content-Type>`, written)
      expect(pageText(long, undefined)).to.match(new RegExp(`>${text}$`))
    })
  }

  const ENDS: [why: string, body: Buffer, declared: string | undefined, text: RegExp][] = [
    ['a byte order mark beats the header', bytes([0xef, 0xbb, 0xbf], 'ä'), 'iso-8859-1', /^ä$/],
    ['UTF-16 by its mark', Buffer.from('\ufeffäб', 'utf16le'), undefined, /^äб$/],
    ['UTF-16, big end first', Buffer.from('\ufeffäб', 'utf16le').swap16(), 'utf-8', /^äб$/],
    ['UTF-16 by the header', Buffer.from('äб', 'utf16le'), 'utf-16le', /^äб$/],
    ['the header beats the page', bytes('<meta charset=koi8-r>ä'), 'utf-8', />ä$/],
    [
      'a page that says UTF-16 in letters of one byte is UTF-8',
      bytes('<meta charset=utf-16>ä'),
      undefined,
      />ä$/,
    ],
    ['no label', bytes('ä'), undefined, /^ä$/],
    ['an unknown label counts as none', bytes('<meta charset=koi8-r>', [0xf0]), 'x-nonsense', />П$/],
    ['two unknown labels', bytes('<meta charset=klingon>ä'), 'x-nonsense', />ä$/],
    ['an encoding that browsers refuse', bytes('<meta charset=utf-7>ä'), 'hz-gb-2312', />ä$/],
    ['invalid bytes', bytes('a', [0xe4], 'b'), 'utf-8', /^a\ufffdb$/],
    ['a label in a comment', bytes('<!-- <meta charset=koi8-r> -->ä'), undefined, />ä$/],
    ['a label in a quoted paragraph', bytes('<p>charset=koi8-r</p>ä'), undefined, />ä$/],
    ['an XML declaration', bytes('<?xml version="1.0" encoding="koi8-r"?>', [0xf0]), undefined, />П$/],
    [
      'a label behind much script',
      bytes(`<script>${'x'.repeat(6_000)}</script><meta charset=koi8-r>`, [0xf0]),
      undefined,
      />П$/,
    ],
    ['a label in a script', bytes('<script>"<meta charset=koi8-r>"</script>ä'), undefined, />ä$/],
    [
      'a label beyond the search limit',
      bytes('x'.repeat(300_000), '<meta charset=koi8-r>ä'),
      undefined,
      />ä$/,
    ],
  ]
  for (const [why, body, declared, text] of ENDS) {
    it(`${why}`, () => {
      expect(pageText(body, declared)).to.match(text)
    })
  }

  for (const [name, words] of [
    ['forum-shift-jis', '表示の確認：能ソ十表'],
    ['gazette-windows-1251', 'Речной вестник'],
  ] as const) {
    it(`fixtures/${name}.html can be read`, () => {
      const body = readFileSync(new URL(`./fixtures/${name}.html`, import.meta.url))
      expect(pageText(body, undefined)).to.include(words).and.not.include('\ufffd')
    })
  }

  it('is decoded for any bytes and label', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.option(fc.string(), { nil: undefined }),
        (body, label) => {
          expect(pageText(body, label)).to.be.a('string')
        },
      ),
    )
  })
})
