import { expect } from 'chai'
import { dmId, parseChannelId } from './channel-id.ts'

describe('channel ids (interface 2.2)', () => {
  it('give the same DM for the same people in any order', () => {
    expect(dmId(['bob', 'Ada', 'bob', 'ada'])).to.equal('dm:Ada:ada:bob')
    expect(parseChannelId('dm:cleo:ada:cleo')).to.deep.equal({
      kind: 'dm',
      id: 'dm:ada:cleo',
      participants: ['ada', 'cleo'],
    })
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
