import { expect } from 'chai'
import { beginsWithJoining, namesIn, systemMessageOf } from './system-messages.ts'

describe('a system message', () => {
  it('says who was added, who left and the new name of the channel', () => {
    expect(systemMessageOf('ada added dora to the channel.', 'ada')).to.deep.equal({
      kind: 'added',
      who: 'ada',
      what: 'dora',
    })
    expect(systemMessageOf('bob left the channel.', 'ada')).to.deep.equal({
      kind: 'plain',
      who: 'bob',
      act: 'left the channel.',
    })
    expect(systemMessageOf('bob renamed the channel to “a “b”.”.', 'ada')).to.deep.equal({
      kind: 'renamed',
      who: 'bob',
      what: 'a “b”.',
    })
  })

  it('says what a manager changed', () => {
    const acts: [line: string, kind: string, what: string][] = [
      ['added dora, eve and fay.', 'added', 'dora, eve and fay'],
      ['removed dora and eve from the channel.', 'removed', 'dora and eve'],
      ['set the topic: Tides. Today', 'topic', 'Tides. Today'],
    ]
    for (const [line, kind, what] of acts)
      expect(systemMessageOf(`bob ${line}`, 'ada')).to.deep.equal({ kind, who: 'bob', what })
    expect(systemMessageOf('bob archived this channel.', 'ada')).to.deep.equal({
      kind: 'plain',
      who: 'bob',
      act: 'archived this channel.',
    })
    expect(namesIn('dora, eve and fay')).to.deep.equal(['dora', 'eve', 'fay'])
  })

  it('says how long a call was, or whose call was missed', () => {
    expect(systemMessageOf('Missed call from ada.', 'ada')).to.deep.equal({ kind: 'unanswered', who: 'ada' })
    expect(systemMessageOf('Call, 12 min.', 'ada')).to.deep.equal({ kind: 'call', minutes: 12 })
    expect(systemMessageOf('Missed call from bob.', 'ada')).to.deep.equal({ kind: 'missed', who: 'bob' })
  })

  it('is shown unchanged when its text is unknown', () => {
    for (const text of [null, '', 'Call, soon', 'we all left the channel.'])
      expect(systemMessageOf(text, 'ada')).to.equal(undefined)
  })

  it('greets the newcomer, and tells the others who joined', () => {
    const welcome = 'Welcome to bothy, dora! Say hello.'
    expect(systemMessageOf(welcome, 'dora')).to.deep.equal({ kind: 'welcome', who: 'dora' })
    expect(systemMessageOf(welcome, 'ada')).to.deep.equal({ kind: 'joined', who: 'dora' })
  })

  it('tells whether the viewer joined later', () => {
    expect(beginsWithJoining('ada added dora to the channel.', 'dora')).to.equal(true)
    expect(beginsWithJoining('ada added dora to the channel.', 'ada')).to.equal(false)
    expect(beginsWithJoining('hello', 'dora')).to.equal(false)
    expect(beginsWithJoining(undefined, 'dora')).to.equal(false)
  })
})
