import { expect } from 'chai'
import { dmId, hasTooManyParticipants, parseChannelId } from './channel-id.ts'

describe('channel ids (interface 2.2)', () => {
  it('give the same DM for the same people in any order', () => {
    expect(dmId(['bob', 'Ada', 'bob', 'ada'])).to.equal('dm:Ada:ada:bob')
    expect(parseChannelId('dm:cleo:ada:cleo')).to.deep.equal({
      kind: 'dm',
      id: 'dm:ada:cleo',
      participants: ['ada', 'cleo'],
    })
  })

  it('distinguish a DM of too many people from invalid text', () => {
    const people = (count: number) => `dm:${Array.from({ length: count }, (_, i) => `p${i}`).join(':')}`
    expect(parseChannelId(people(50))).to.include({ kind: 'dm' })
    expect(parseChannelId(people(51))).to.equal(undefined)
    expect([people(50), people(51), 'dm:', 'x'].map(hasTooManyParticipants)).to.deep.equal([
      false,
      true,
      false,
      false,
    ])
  })

  it('tell the three kinds apart', () => {
    expect(parseChannelId('general')).to.deep.equal({ kind: 'public', id: 'general' })
    expect(parseChannelId('private:7')).to.deep.equal({ kind: 'private', id: 'private:7', privateId: 7 })
  })

  for (const text of [
    '',
    'dm:',
    'dm:ada',
    'dm:ada:ada',
    'dm:ada:',
    'dm:a b:c',
    'private:',
    'private:07',
    'private:-1',
    'a:b',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => {
      expect(parseChannelId(text)).to.equal(undefined)
    })
  }
})
