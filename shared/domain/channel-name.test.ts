import { expect } from 'chai'
import { channelIdFromName, isNewChannelId, listOfNames, shownName } from './channel-name.ts'

describe('the id of a channel made from its name (interface 12.1)', () => {
  for (const [name, id] of [
    ['Überblick 2', 'uberblick-2'],
    ['  Design / Review  ', 'design-review'],
    ['snake_case', 'snake_case'],
    ['__init__', 'init__'],
    ['ＦＵＬＬ', 'full'],
    ['設計', ''],
    ['🎉', ''],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ] as const) {
    it(`is “${id}” for “${name}”`, () => {
      expect(channelIdFromName(name)).to.equal(id)
      if (id) expect(isNewChannelId(id)).to.equal(true)
    })
  }

  it('has a form without capitals, spaces and colons', () => {
    for (const id of ['Design', 'a b', 'dm:a', '-a', '_a', '', 'a'.repeat(65), 'ü'])
      expect(isNewChannelId(id), id).to.equal(false)
  })

  it('is independent of the shown name, which is one line of visible characters', () => {
    expect(shownName('  two\nlines ', 80)).to.deep.equal({ name: 'two lines' })
    expect(shownName('\u200b', 80)).to.deep.equal({ problem: 'empty' })
    expect(shownName('x'.repeat(81), 80)).to.deep.equal({ problem: 'too_long' })
    expect(shownName('😀'.repeat(80), 80)).to.deep.equal({ name: '😀'.repeat(80) })
  })

  it('joins the names of people in a sentence', () => {
    expect(listOfNames(['ada'])).to.equal('ada')
    expect(listOfNames(['ada', 'bob'])).to.equal('ada and bob')
    expect(listOfNames(['ada', 'bob', 'cleo'])).to.equal('ada, bob and cleo')
  })
})
