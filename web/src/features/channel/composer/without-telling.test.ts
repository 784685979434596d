import { expect } from 'chai'
import { mentionsIn, mentionTokens } from '#shared/domain/mentions.ts'
import { withoutTelling } from './without-telling.ts'

describe('a text that is sent without telling', () => {
  const groups = [{ handle: 'design', members: ['bob', 'cleo'] }]
  const people = ['ada', 'bob', 'cleo', 'Design-X']
  const told = (text: string) => mentionsIn(mentionTokens(text), people, true, groups)

  it('keeps its words and its other mentions', () => {
    const text = 'Lunch, @everyone! @Design, @ada and @designers'
    const sent = withoutTelling(text, ['@everyone', '@design'], people)
    expect(told(text)).to.deep.equal(['@everyone'])
    expect(told(sent)).to.deep.equal(['ada'])
    expect(sent.replaceAll('\u2060', '')).to.equal(text)
    expect(sent).to.include('@designers')
  })
  it('keeps the mention of a person whose name begins with that of a group', () => {
    const sent = withoutTelling('@design- see @design-x, @design.', ['@design'], people)
    expect(told(sent)).to.deep.equal(['Design-X'])
    expect(sent.split('\u2060')).to.have.length(3)
  })
})
