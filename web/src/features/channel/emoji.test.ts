import { expect } from 'chai'
import { isReaction, REACTION_NAMES } from '#shared/domain/reactions.ts'
import { EMOJI } from './emoji.ts'

describe('the emoji table', () => {
  it('has exactly one emoji per reaction name', () => {
    expect([...EMOJI.keys()].sort()).to.deep.equal([...REACTION_NAMES].sort())
  })

  it('contains emoji only', () => {
    expect([...EMOJI].filter(([, emoji]) => !isReaction(emoji))).to.deep.equal([])
  })
})
