import { expect } from 'chai'
import { REACTION_EMOJI } from './reaction-table.ts'
import { isReaction, reactionKey } from './reactions.ts'

describe('reactions (interface 2.4)', () => {
  it('have plain names and an emoji each', () => {
    for (const [name, emoji] of REACTION_EMOJI) {
      expect(name).to.match(/^[a-z0-9_]{2,32}$/)
      expect(isReaction(emoji), name).to.equal(true)
      expect(emoji, name).not.to.match(/^[a-z0-9_]+$/)
    }
  })

  it('number 477', () => {
    expect(REACTION_EMOJI.size).to.equal(477)
  })

  it('are a name of the table or a single emoji, with or without the variation selector', () => {
    for (const reaction of ['tada', '🎉', '❤', '❤️', '👩🏽‍🚀', '🇩🇪', '1️⃣']) {
      expect(isReaction(reaction), reaction).to.equal(true)
    }
    for (const other of ['', 'teapot', 'TADA', ':tada:', 'a', '1', '🎉🎉', '🎉 ', '👍'.repeat(40)]) {
      expect(isReaction(other), other).to.equal(false)
    }
  })

  it('have one key for each form of an emoji', () => {
    for (const form of ['heart', '❤', '❤️']) expect(reactionKey(form), form).to.equal('heart')
    expect(reactionKey('👍')).to.equal('thumbsup')
    expect(reactionKey('👍🏽')).to.equal('👍🏽')
    expect(reactionKey('⏸')).to.equal('⏸️')
    expect(reactionKey('⏸️')).to.equal('⏸️')
    expect(reactionKey('party-parrot')).to.equal('party-parrot')
  })

  it('are called as in Slack and Mattermost where these have the name', () => {
    expect(REACTION_EMOJI.get('zap')).to.equal('⚡')
    expect(reactionKey('⚡')).to.equal('zap')
    expect(REACTION_EMOJI.get('lightning')).to.equal('🌩️')
  })
})
