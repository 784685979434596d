import { expect } from 'chai'
import { withoutName } from './erase-traces.ts'

describe('the name of a deleted account in system lines (interface 4.1)', () => {
  for (const [line, changed] of [
    ['ada made this channel.', 'Deleted User made this channel.'],
    ['ada set the topic: ada, bob and ada', 'Deleted User set the topic: ada, bob and ada'],
    ['bob removed ada from the channel.', 'bob removed Deleted User from the channel.'],
    ['ada archived this channel.', 'Deleted User archived this channel.'],
    ['bob added ada.', 'bob added Deleted User.'],
    ['ada added bob, ada and cleo.', 'Deleted User added bob, Deleted User and cleo.'],
    ['bob added adam and cleo.', 'bob added adam and cleo.'],
    ['bob added ada to the channel.', 'bob added Deleted User to the channel.'],
    ['bob renamed the channel to “ada”.', 'bob renamed the channel to “ada”.'],
  ] as const) {
    it(`“${line}” becomes “${changed}”`, () => {
      expect(withoutName(line, 'ada')).to.equal(changed)
    })
  }
})
