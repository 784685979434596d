import { expect } from 'chai'
import { isTokenText, newTokenText } from './token-text.ts'

describe('the text of a token', () => {
  it('has a fixed length and form, whatever its bytes are', () => {
    for (const secret of [Buffer.alloc(32), Buffer.alloc(32, 255), undefined]) {
      const text = newTokenText(secret)
      expect(text).to.match(/^bothy_[0-9A-Za-z]{49}$/)
      expect(isTokenText(text)).to.equal(true)
    }
    expect(newTokenText()).to.not.equal(newTokenText())
    expect(newTokenText(Buffer.alloc(32))).to.equal('bothy_00000000000000000000000000000000000000000000SQjCX')
  })

  it('is refused with any other digit, length or prefix', () => {
    const text = newTokenText()
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === 'x' ? 'y' : 'x'
      expect(isTokenText(text.slice(0, i) + other + text.slice(i + 1)), String(i)).to.equal(false)
    }
    for (const wrong of ['', 'bothy_', `${text}0`, text.slice(0, -1), ` ${text}`, `bothy_${'z'.repeat(49)}`])
      expect(isTokenText(wrong), wrong).to.equal(false)
  })
})
