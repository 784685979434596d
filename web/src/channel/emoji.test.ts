import { expect } from 'chai'
import { isReaction, REACTION_NAMES } from '#shared/rules/reactions.ts'
import { EMOJI } from './emoji.ts'

describe('the table of emoji', () => {
  it('has one for each reaction name, and no other', () => {
    expect([...EMOJI.keys()].sort()).to.deep.equal([...REACTION_NAMES].sort())
  })

  it('shows real emoji only', () => {
    expect([...EMOJI].filter(([, emoji]) => !isReaction(emoji))).to.deep.equal([])
  })
})
