import { expect } from 'chai'
import fc from 'fast-check'
import { oneLine } from './one-line.ts'

describe('a line of untrusted text', () => {
  const CASES: [text: string, line: string, why: string][] = [
    ['  two\n\t words ', 'two words', 'white space is folded'],
    ['a\u2028b\u00a0c\u3000d', 'a b c d', 'of every kind'],
    ['ad\u0000a\u001b[31m\u0085', 'ada[31m', 'control characters are gone'],
    ['invoice\u202egpj.exe', 'invoicegpj.exe', 'nothing turns the direction'],
    ['\u2066a\u2069 \u200eb\u061c', 'a b', 'in whatever way'],
    ['pay\u200bpal\ufeff \u00ad', 'paypal', 'nor hides between letters'],
    ['a \u200b b', 'a b', 'and leaves no hole'],
    ['👩‍👩‍👧 ❤️ نمی‌خواهم', '👩‍👩‍👧 ❤️ نمی‌خواهم', 'emoji and Persian keep their joiners'],
    ['\u200d\ufe0f \u3164', '', 'what is invisible as a whole is nothing'],
    [`Z${'\u0301'.repeat(48)}oe`, `Z${'\u0301'.repeat(8)}oe`, 'marks are not stacked on other lines'],
    ['ผู้ใหญ่ ấ བསྒྲུབས', 'ผู้ใหญ่ ấ བསྒྲུབས', 'Thai, Vietnamese and Tibetan stay whole'],
    ['a\ud800b', 'a\ufffdb', 'half a character is none'],
  ]
  for (const [text, line, why] of CASES) {
    it(`${why}: ${JSON.stringify(text)}`, () => {
      expect(oneLine(text, 100)).to.equal(line)
    })
  }

  it('is cut with an ellipsis, and never within a character', () => {
    expect(oneLine('abcdef', 6)).to.equal('abcdef')
    expect(oneLine('abcdefg', 6)).to.equal('abcde…')
    expect(oneLine('abcd😀fg', 6)).to.equal('abcd…')
  })

  it('never exceeds its bounds, with random input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), text => {
        const line = oneLine(text, 20)
        expect(line.length).to.be.at.most(20)
        expect(line).to.not.match(/[\p{Cc}\p{Bidi_Control}]/u)
        expect(line.isWellFormed()).to.equal(true)
      }),
    )
  })
})
