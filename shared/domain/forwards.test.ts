import { expect } from 'chai'
import { forwardedParts, forwardedText } from './forwards.ts'

describe('the text of a forwarded message', () => {
  const texts = ['one', 'one\n\nthree', '> quoted\nand answered', 'windows\r\nlines', '\u2028odd']

  it('has the comment, an empty line and the quoted lines', () => {
    expect(forwardedText('Look', 'one\n\nthree')).to.equal('Look\n\n> one\n> \n> three')
    expect(forwardedText('', 'one')).to.equal('> one')
  })

  it('is divided into comment and quote again', () => {
    for (const comment of ['', ...texts])
      for (const quoted of texts)
        expect(forwardedParts(forwardedText(comment, quoted))).to.deep.equal({ comment, quoted })
  })

  it('has no quote when no line at its end is quoted', () => {
    expect(forwardedParts('> a\nb')).to.deep.equal({ comment: '> a\nb', quoted: '' })
  })
})
