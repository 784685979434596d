import { expect } from 'chai'
import { findPlaces, type Known, placesOf } from './destinations.ts'

const known: Known = {
  viewer: 'ada',
  publicChannels: ['general', 'engineering', 'design'],
  privateChannels: [{ id: 7, channel: 'private:7', name: 'Rev C board', unread: 0 }],
  dms: [
    { channel: 'dm:ada:bob', users: ['bob'], unread: 2 },
    { channel: 'dm:ada:bob:dora', users: ['bob', 'dora'], unread: 0 },
  ],
  people: ['bob', 'cleo', 'dora'],
  unreads: new Map([['design', 3]]),
  mentions: [{ id: 1, channel: 'general', sender: 'bob', content: '@ada', filename: null, ts: 1 }],
  displayed: name => (name === 'cleo' ? 'Kim Vale' : name),
  nameOf: channel => channel,
}
const names = (typed: string, recent: string[] = [], open?: string) =>
  findPlaces(typed, placesOf(known), recent, open).map(found => found.place.name)

describe('the quick switcher', () => {
  it('starts with unread places, mentions first, then recent ones, without the open one', () => {
    expect(names('', ['engineering', 'private:7'], 'engineering').slice(0, 4)).to.deep.equal([
      'general',
      'bob',
      'design',
      'Rev C board',
    ])
    expect(names('', [], 'engineering')).to.not.include('engineering')
  })

  it('lists people without a conversation, and nobody twice', () => {
    expect(names('bob')).to.deep.equal(['bob', 'bob, dora'])
    expect(names('cleo')).to.deep.equal(['Kim Vale'])
    expect(names('kim')).to.deep.equal(['Kim Vale'])
    expect(placesOf(known).find(place => place.name === 'Kim Vale')?.channel).to.equal('dm:ada:cleo')
    expect(names('ada')).to.deep.equal([])
  })

  it('sorts equal matches by unread, then by last use', () => {
    expect(names('e')[0]).to.equal('engineering')
    expect(names('d')).to.deep.equal(['design', 'dora', 'bob, dora', 'Rev C board'])
    expect(names('eg', ['design'])).to.deep.equal(['engineering'])
    expect(names('b', ['dm:ada:bob:dora'])).to.deep.equal(['bob', 'bob, dora', 'Rev C board'])
  })

  it('keeps four places for recent ones, however much is unread', () => {
    const many = Array.from({ length: 20 }, (_, at) => `room-${at}`)
    const busy: Known = {
      ...known,
      publicChannels: [...many, 'engineering'],
      unreads: new Map(many.map(name => [name, 1])),
    }
    const first = findPlaces('', placesOf(busy), ['engineering'], undefined).map(({ place }) => place.name)
    expect(first).to.have.length(12)
    expect(first).to.include('engineering')
  })

  it('finds a conversation by several names in any order, also without accents', () => {
    const accented: Known = {
      ...known,
      displayed: name => ({ bob: 'Baldur Ó Briain', dora: 'Dóra Kiss' })[name] ?? name,
    }
    const found = (typed: string) =>
      findPlaces(typed, placesOf(accented), [], undefined).map(({ place }) => place.name)
    expect(found('dora bald')).to.deep.equal(['Baldur Ó Briain, Dóra Kiss'])
  })
})
