import { expect } from 'chai'
import { mentionsIn, mentionTokens } from '#shared/domain/mentions.ts'
import { withoutTelling } from './without-telling.ts'

describe('a text that is sent without telling', () => {
  const groups = [{ handle: 'design', members: ['bob', 'cleo'] }]
  const told = (text: string) => mentionsIn(mentionTokens(text), ['ada', 'bob', 'cleo'], true, groups)

  it('keeps its words and its other mentions', () => {
    const text = 'Lunch, @everyone! @Design, @ada and @designers'
    const sent = withoutTelling(text, ['@everyone', '@design'])
    expect(told(text)).to.deep.equal(['@everyone'])
    expect(told(sent)).to.deep.equal(['ada'])
    expect(sent.replaceAll('\u2060', '')).to.equal(text)
    expect(sent).to.include('@designers')
  })
})
