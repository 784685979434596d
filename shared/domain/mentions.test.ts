import { expect } from 'chai'
import { groupsIn, mayNameGroups, mentionCandidates, mentionsIn, mentionTokens } from './mentions.ts'

describe('mentions (interface 4.3.1)', () => {
  const members = ['cleo', 'Ada', 'bob', 'bob-the-builder']
  const CASES: [text: string, mentioned: string[] | null][] = [
    ['hello @ada', ['Ada']],
    ['@BOB, @ada and @bob', ['Ada', 'bob']],
    ['(@cleo)', ['cleo']],
    ['@bob-the-builder is here', ['bob-the-builder']],
    ['@bob- and @cleo_', ['cleo', 'bob']],
    ['@bobby @nobody @', null],
    ['ada@bob.example', null],
    ['@ada@bob.example', null],
    ['mail: first.last@ada.example', null],
    ['https://example.org/@ada', null],
    ['https://example.org/?to=@ada and @bob', ['bob']],
    ['a/@ada .@ada @@ada', null],
    ['`@ada` but @bob', ['bob']],
    ['```\n@ada\n``` @bob', ['bob']],
    ['```\n@ada', null],
    ['a ` lone tick @ada', ['Ada']],
    ['@ada @everyone', ['@everyone']],
    ['@Everyone!', ['@everyone']],
    ['@everyones', null],
    ['@everyone- look here', ['@everyone']],
    ['@everyone-x @everyone_x', null],
    [`@everyone${'-'.repeat(40)}x`, null],
    [`https://${'a'.repeat(3_000)}/@ada`, null],
    ['@ada<https://example.org/@bob>"@cleo"', ['cleo', 'Ada']],
    ['@ada,https://example.org/@bob', ['Ada']],
    ['', null],
  ]
  for (const [text, mentioned] of CASES) {
    it(`${JSON.stringify(text.slice(0, 60))} mentions ${mentioned?.join(', ') ?? 'no one'}`, () => {
      expect(mentionsIn(mentionTokens(text), members)).to.deep.equal(mentioned)
    })
  }

  it('of a group mean those of its people who are members, in member order', () => {
    const groups = [
      { handle: 'Bob-the', members: ['bob', 'Ada', 'eva'] },
      { handle: 'ops', members: [] },
    ]
    const found = (text: string) => ({
      mentions: mentionsIn(mentionTokens(text), members, true, groups),
      groups: groupsIn(mentionTokens(text), members, groups).map(({ handle }) => handle),
    })
    expect(found('@ops, @bob-the: hello @BOB-THE-')).to.deep.equal({
      mentions: ['Ada', 'bob'],
      groups: ['ops', 'Bob-the'],
    })
    expect(found('@bob-the-builder and @opsy')).to.deep.equal({ mentions: ['bob-the-builder'], groups: [] })
    expect(found('@everyone and @ops')).to.deep.equal({ mentions: ['@everyone'], groups: ['ops'] })
  })

  it('name at most five groups: further handles are plain text', () => {
    const groups = [...'abcdef'].map(letter => ({ handle: `team-${letter}`, members: ['bob'] }))
    const tokens = mentionTokens(groups.map(({ handle }) => `@${handle}`).join(' '))
    const meant = groupsIn(tokens, members, groups)
    expect(meant.map(({ handle }) => handle)).to.deep.equal([
      'team-a',
      'team-b',
      'team-c',
      'team-d',
      'team-e',
    ])
  })

  it('may name groups only where a token is no whole name', () => {
    for (const text of ['', '@ada', '@bob and @everyone', '@Everyone--'])
      expect(mayNameGroups(mentionTokens(text), members), text).to.equal(false)
    for (const text of ['@design', '@bob-the', '@ada and @everyones'])
      expect(mayNameGroups(mentionTokens(text), members), text).to.equal(true)
  })

  it('look up only names that the text contains', () => {
    expect(mentionCandidates(mentionTokens('@Bob-the-builder'))).to.have.members([
      'bob',
      'bob-the',
      'bob-the-builder',
    ])
    expect(mentionCandidates(mentionTokens('nobody@home'))).to.deep.equal([])
  })

  it('take as long for the worst text as for an ordinary one of the same length', () => {
    const length = 10_000
    const quickest = (text: string) => {
      const times = Array.from({ length: 7 }, () => {
        const began = performance.now()
        const tokens = mentionTokens(text.slice(0, length))
        mentionCandidates(tokens)
        mentionsIn(tokens, members)
        return performance.now() - began
      })
      return Math.min(...times)
    }
    const ordinary = quickest('@ada and @bob-the-builder, '.repeat(length))
    const worst = {
      parentheses: '(@a'.repeat(length),
      ats: '@'.repeat(length),
      'an unclosed tick': '`'.repeat(length - 1),
      'ticks of many lengths': Array.from({ length: 140 }, (_, i) => `${'`'.repeat(i + 1)} `).join(''),
      'names that end in dashes': '@a-'.repeat(length),
      'one long token': `@${'-'.repeat(length)}`,
      'an address': `http://${'@ada'.repeat(length)}`,
      'beginnings of addresses': 'http:/@a'.repeat(length),
      'tokens of the longest names': `(@${'-'.repeat(32)}`.repeat(length),
    }
    for (const [what, text] of Object.entries(worst)) {
      // Expected factor: about a dozen at most; a scan of the text for each `@` takes hundreds of times as long.
      expect(quickest(text) / ordinary, what).to.be.lessThan(40)
    }
  })

  it('takes @everyone as plain text from people who may not write it', () => {
    const tokens = mentionTokens('@everyone and @Ada')
    expect(mentionsIn(tokens, ['ada', 'bob'], false)).to.deep.equal(['ada'])
    expect(mentionsIn(mentionTokens('@everyone'), ['ada'], false)).to.equal(null)
  })
})
