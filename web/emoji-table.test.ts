import { brotliCompressSync } from 'node:zlib'
import { expect } from 'chai'
import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'
import { emojiTable } from './emoji-table.ts'
import { movedInGrid } from './src/features/channel/emoji/grid.ts'
import { findEmoji } from './src/features/channel/emoji/search.ts'
import { readEmojiTable } from './src/features/channel/emoji/table.ts'
import { toned } from './src/features/channel/emoji/tones.ts'

const table = emojiTable()
const groups = readEmojiTable(table)
const all = groups.flat()
const found = (typed: string, favourites: string[] = []) =>
  findEmoji(all, typed, favourites).map(({ emoji }) => emoji)

describe('the emoji of the picker', () => {
  it('are in the groups and the order of Unicode, faces first', () => {
    expect(groups.map(([first]) => first!.emoji)).to.deep.equal([
      '😀',
      '👋',
      '🐵',
      '🍇',
      '🌍',
      '🎃',
      '👓',
      '🏧',
      '🏁',
    ])
    expect(all.length).to.be.above(1_800)
  })

  it('contain every reaction of the interface', () => {
    const reactions = new Set(all.map(({ reaction }) => reaction))
    expect([...REACTION_EMOJI.keys()].filter(name => !reactions.has(name))).to.deep.equal([])
  })

  it('take at most 60 KB compressed, in two languages', () => {
    expect(brotliCompressSync(table).length).to.be.below(60_000)
  })

  it('have skin tones, also with several people', () => {
    const of = (label: string) => all.find(({ labels }) => labels.en === label)!
    expect(of('clapping hands').hasTones).to.equal(true)
    expect(of('red heart').hasTones).to.equal(false)
    expect(toned('👏', 4)).to.equal('👏🏾')
    expect(toned('✌️', 1)).to.equal('✌🏻')
    expect(toned('🧑‍🤝‍🧑', 2)).to.equal('🧑🏼‍🤝‍🧑🏼')
    expect(toned('👏', 0)).to.equal('👏')
  })
})

describe('the search for emoji', () => {
  it('has the exact name first', () => {
    expect(found('heart')[0]).to.equal('❤️')
    expect(found('fire')[0]).to.equal('🔥')
    expect(found(':tada:')[0]).to.equal('🎉')
    expect(found('broken heart')[0]).to.equal('💔')
  })

  it('has the start of a name before the start of a word, and that before the inside', () => {
    const hits = found('art')
    expect(hits.indexOf('🎨')).to.be.below(hits.indexOf('❤️'))
    expect(found('smil').slice(0, 3)).to.include('😄')
  })

  it('prefers the emoji that a person uses', () => {
    expect(found('ta', ['👍', '🎉'])[0]).to.equal('🎉')
    expect(found('ta', ['🌮'])[0]).to.equal('🌮')
  })

  it('knows keywords in English and German, also without umlauts', () => {
    expect(found('applause')).to.include('👏')
    expect(found('Herz', ['❤️'])[0]).to.equal('❤️')
    expect(found('Glückwunsch').length).to.be.above(0)
    expect(found('gluckwunsch')).to.deep.equal(found('Glückwunsch'))
  })

  it('finds several words in any order', () => {
    expect(found('cat heart')).to.include('😻')
    expect(found('heart cat')).to.include('😻')
    expect(found('heart zzz')).to.deep.equal([])
  })
})

describe('the grid of emoji', () => {
  const moved = (at: number, key: string) => movedInGrid([9, 12, 3], 9, at, key, 1)

  it('keeps the column between groups', () => {
    expect(moved(2, 'ArrowDown')).to.equal(11)
    expect(moved(11, 'ArrowDown')).to.equal(20)
    expect(moved(17, 'ArrowDown')).to.equal(20)
    expect(moved(20, 'ArrowDown')).to.equal(23)
    expect(moved(20, 'ArrowUp')).to.equal(11)
  })

  it('ends at the first and the last', () => {
    expect(moved(0, 'ArrowLeft')).to.equal(0)
    expect(moved(23, 'ArrowRight')).to.equal(23)
    expect(moved(22, 'ArrowDown')).to.equal(22)
    expect(moved(3, 'ArrowUp')).to.equal(3)
  })
})
