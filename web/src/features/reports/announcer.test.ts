import { expect } from 'chai'
import { newAnnouncer } from './announcer.ts'

describe('announcements of new messages', () => {
  let said: string[]
  let later: () => void
  const aloud = () => {
    said = []
    return newAnnouncer(
      { each: text => said.push(text), many: count => said.push(`${count} new messages`) },
      (_ms, run) => {
        later = run
      },
    )
  }

  it('are made at once, one by one, while they are few', () => {
    const say = aloud()
    say(['bob: one', 'bob: two', 'bob: three'])
    expect(said).to.deep.equal(['bob: one', 'bob: two', 'bob: three'])
  })

  it('are a number when more than three come together', () => {
    aloud()(['a', 'b', 'c', 'd', 'e'])
    expect(said).to.deep.equal(['5 new messages'])
  })

  it('are collected for two seconds, except the first', () => {
    const say = aloud()
    for (const text of ['a', 'b', 'c', 'd', 'e']) say([text])
    expect(said).to.deep.equal(['a'])
    later()
    expect(said).to.deep.equal(['a', '4 new messages'])
  })

  it('are all made when few were collected, and the next one at once again', () => {
    const say = aloud()
    say(['a'])
    say(['b'])
    later()
    say(['c'])
    expect(said).to.deep.equal(['a', 'b', 'c'])
  })
})
