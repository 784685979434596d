import { expect } from 'chai'
import { isEmojiOnly } from './emoji-only.ts'
import { parseMarkup } from './markup.ts'

const isLarge = (text: string) =>
  isEmojiOnly(parseMarkup(text, { mentions: [], isEmoji: name => name === 'tada' }))

describe('a message of emoji only', () => {
  it('is large with one to three, also of several characters each', () => {
    for (const text of [
      '🎉',
      '🎉🎉🎉',
      '❤️ 🎉',
      ':tada:',
      '👏🏾',
      '👨‍👩‍👧‍👦',
      '🇩🇪🇫🇷',
      '1️⃣',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '❤️‍🔥',
      '☝🏽',
    ])
      expect(isLarge(text), text).to.equal(true)
  })

  it('is ordinary with more, with text or in a list', () => {
    for (const text of ['🎉🎉🎉🎉', 'yes 🎉', '🎉!', '', '12', '> 🎉', '- 🎉', '`🎉`', '©', '🎉\n🎉'])
      expect(isLarge(text), text).to.equal(false)
  })
})
