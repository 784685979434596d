import { expect } from 'chai'
import { mentionCandidates, mentionsIn } from './mentions.ts'

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
    ['', null],
  ]
  for (const [text, mentioned] of CASES) {
    it(`${JSON.stringify(text)} mentions ${mentioned?.join(', ') ?? 'no one'}`, () => {
      expect(mentionsIn(text, members)).to.deep.equal(mentioned)
    })
  }

  it('asks for no name that a text does not hold', () => {
    expect(mentionCandidates('@Bob-the-builder')).to.have.members(['bob', 'bob-the', 'bob-the-builder'])
    expect(mentionCandidates('nobody@home')).to.deep.equal([])
  })

  it('takes one pass over hostile text', () => {
    const hostile = [
      '@'.repeat(10_000),
      '`'.repeat(9_999),
      '@a'.repeat(5_000),
      `http://${'@ada'.repeat(2_400)}`,
      '@a '.repeat(3_000),
    ]
    const began = performance.now()
    for (const text of hostile) mentionsIn(text, members)
    // Generous by two orders: it fails when a pass becomes quadratic, not when the machine is busy.
    expect(performance.now() - began).to.be.lessThan(5_000)
  })
})
