import { expect } from 'chai'
import { completed, typingAt } from './completion.ts'

const typing = (text: string) => typingAt(text, text.length)

describe('completion at the caret', () => {
  it('finds a name after an @ at the start of a word', () => {
    expect(typing('hi @to')).to.deep.equal({ kind: 'mention', typed: 'to', from: 3 })
    expect(typing('@')).to.deep.equal({ kind: 'mention', typed: '', from: 0 })
    expect(typing('mail me@to')).to.equal(undefined)
    expect(typing('hi @to ')).to.equal(undefined)
    expect(typing('hi @Ottilie Qu')).to.deep.equal({ kind: 'mention', typed: 'Ottilie Qu', from: 3 })
    expect(typing('@Łuk')).to.deep.equal({ kind: 'mention', typed: 'Łuk', from: 0 })
    expect(typing('@ada said hello')).to.equal(undefined)
  })

  it('finds an emoji after a colon and two letters', () => {
    expect(typing('so :ta')).to.deep.equal({ kind: 'emoji', typed: 'ta', from: 3 })
    expect(typing('12:30')).to.equal(undefined)
    expect(typing(':t')).to.equal(undefined)
    expect(typing('Glück :Herz')).to.deep.equal({ kind: 'emoji', typed: 'Herz', from: 6 })
    expect(typing(':Glü')).to.deep.equal({ kind: 'emoji', typed: 'Glü', from: 0 })
    for (const name of ['party-p', '_x', '-x', '+1'])
      expect(typing(`:${name}`)).to.deep.equal({ kind: 'emoji', typed: name, from: 0 })
    expect(typing(':DD')).to.equal(undefined)
  })

  it('finds a channel after a # at the start of a word', () => {
    expect(typing('see #de')).to.deep.equal({ kind: 'channel', typed: 'de', from: 4 })
    expect(typing('#')).to.deep.equal({ kind: 'channel', typed: '', from: 0 })
    expect(typing('see ~de')).to.deep.equal({ kind: 'channel', typed: 'de', from: 4 })
    for (const text of ['~', '~~de', 'a~de', '# ', '##', 'C#', 'https://a.example/#de', '#de '])
      expect(typing(text), text).to.equal(undefined)
  })

  it('replaces the typed text and adds one space', () => {
    expect(completed('hi @to', 6, typing('hi @to')!, '@tomasz')).to.deep.equal({
      text: 'hi @tomasz ',
      caret: 11,
    })
    expect(completed('@to you', 3, typingAt('@to you', 3)!, '@tomasz')).to.deep.equal({
      text: '@tomasz you',
      caret: 8,
    })
  })
})
