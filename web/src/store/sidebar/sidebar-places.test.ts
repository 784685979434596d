import { expect } from 'chai'
import { type Listed, type Place, placesOf } from './sidebar-places.ts'

const listed: Listed[] = [
  { channel: 'general', usual: 'channels', name: 'general' },
  { channel: 'deploys', usual: 'channels', name: 'deploys' },
  { channel: 'design', usual: 'channels', name: 'design' },
  { channel: 'private:1', usual: 'private', name: 'Rev C' },
  { channel: 'dm:ada:bob', usual: 'direct', name: 'bob' },
]

function placed(
  choices: Record<string, { favourite?: boolean; section?: number; position?: number }> = {},
  { sections = [] as number[], byName = false } = {},
) {
  const places = placesOf(listed, {
    choiceOf: channel => ({ favourite: false, section: null, position: null, ...choices[channel] }),
    sections,
    compare: byName ? (a, b) => a.localeCompare(b) : undefined,
  })
  return new Map<Place, string[]>([...places].map(([place, rows]) => [place, rows.map(row => row.channel)]))
}

describe('the places of the sidebar', () => {
  it('are the kinds of channels without choices, in the order of the lists', () => {
    expect([...placed()]).to.deep.equal([
      ['favourites', []],
      ['channels', ['general', 'deploys', 'design']],
      ['private', ['private:1']],
      ['direct', ['dm:ada:bob']],
    ])
  })

  it('are favourites before own sections before the rest', () => {
    const places = placed(
      { design: { favourite: true, section: 7 }, 'private:1': { section: 7 }, deploys: { section: 9 } },
      { sections: [9, 7] },
    )
    expect([...places.keys()]).to.deep.equal(['favourites', 9, 7, 'channels', 'private', 'direct'])
    expect([...places.values()]).to.deep.equal([
      ['design'],
      ['deploys'],
      ['private:1'],
      ['general'],
      [],
      ['dm:ada:bob'],
    ])
  })

  it('keep a channel whose section is gone in its usual place', () => {
    expect(placed({ design: { section: 7 } }).get('channels')).to.include('design')
  })

  it('list rows with a position first, then the others by name if chosen', () => {
    const choices = { general: { position: 2 }, design: { position: 1 } }
    expect(placed(choices).get('channels')).to.deep.equal(['design', 'general', 'deploys'])
    expect(placed({ general: { position: 1 } }, { byName: true }).get('channels')).to.deep.equal([
      'general',
      'deploys',
      'design',
    ])
  })
})
