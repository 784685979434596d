import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { cardRows, colorOfCard, isLinkable, textBefore } from './card-texts.ts'

const row = (content: string, cards_at: number) =>
  ({ id: 1, content, mentions: '["ada"]', extra: { cards: [{ text: 'full' }], cards_at } }) as MessagePayload

describe('the texts of a card', () => {
  it('leave the text before the flattened lines, without the empty line', () => {
    expect(textBefore(row('Disk\n\nfull', 6)).content).to.equal('Disk')
    expect(textBefore(row('full', 0)).content).to.equal('')
  })

  it('are rows that mention whom the message mentions, the same objects for the same message', () => {
    const message = row('full', 0)
    const card = message.extra!.cards![0]!
    const made = cardRows(message, card)
    expect(made.text).to.include({ content: 'full', mentions: '["ada"]' })
    expect(made.pretext).to.equal(undefined)
    expect(cardRows(message, card)).to.equal(made)
    expect(textBefore(message)).to.equal(textBefore(message))
  })

  it('have colours and addresses of the known forms alone', () => {
    expect(colorOfCard('#12aBf0')).to.equal('#12aBf0')
    expect(colorOfCard('danger')).to.equal('var(--c-danger)')
    for (const color of [undefined, 'red', '#123', 'url(x)', 'constructor'])
      expect(colorOfCard(color), color).to.equal(undefined)
    for (const url of [undefined, 'javascript:alert(1)', '/x', 'data:text/html,x'])
      expect(isLinkable(url), url).to.equal(false)
    expect(isLinkable('https://a.example') && isLinkable('mailto:a@b.example')).to.equal(true)
  })
})
