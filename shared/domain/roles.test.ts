import { expect } from 'chai'
import { mayActOn, maySetRole, type RightsSettings, ROLES, type Role, rightsOf } from './roles.ts'

const DEFAULTS: RightsSettings = {
  who_invites: 'admins',
  who_creates_channels: 'members',
  who_mentions_everyone: 'members',
  who_adds_emoji: 'members',
  who_makes_tokens: 'members',
  who_makes_bots: 'admins',
  who_makes_hooks: 'members',
}
const pairs = <T>(check: (actor: Role, target: Role) => T) =>
  ROLES.flatMap(actor => ROLES.filter(target => check(actor, target)).map(target => `${actor} ${target}`))

describe('roles', () => {
  it('have the rights of the table at default settings', () => {
    expect(rightsOf('owner', DEFAULTS)).to.deep.equal([
      'invite',
      'create_channels',
      'mention_everyone',
      'add_emoji',
      'make_tokens',
      'make_bots',
      'make_hooks',
      'administer',
      'own',
    ])
    expect(rightsOf('admin', DEFAULTS)).to.deep.equal([
      'invite',
      'create_channels',
      'mention_everyone',
      'add_emoji',
      'make_tokens',
      'make_bots',
      'make_hooks',
      'administer',
    ])
    expect(rightsOf('member', DEFAULTS)).to.deep.equal([
      'create_channels',
      'mention_everyone',
      'add_emoji',
      'make_tokens',
      'make_hooks',
    ])
    expect(rightsOf('guest', DEFAULTS)).to.deep.equal([])
  })

  it('gain and lose the rights of members by the settings; guests never gain any', () => {
    expect(rightsOf('member', { ...DEFAULTS, who_invites: 'members' })).to.include('invite')
    const strict = {
      ...DEFAULTS,
      who_creates_channels: 'admins',
      who_mentions_everyone: 'admins',
      who_adds_emoji: 'admins',
      who_makes_tokens: 'admins',
      who_makes_bots: 'admins',
      who_makes_hooks: 'admins',
    } as const
    expect(rightsOf('member', strict)).to.deep.equal([])
    expect(rightsOf('admin', strict)).to.deep.equal(rightsOf('admin', DEFAULTS))
    expect(rightsOf('guest', { ...DEFAULTS, who_invites: 'members' })).to.deep.equal([])
  })

  it('act on lower roles only, and owners on owners too', () => {
    expect(pairs(mayActOn)).to.deep.equal([
      'owner owner',
      'owner admin',
      'owner member',
      'owner guest',
      'admin member',
      'admin guest',
    ])
  })

  it('are set by owners without limit, and by admins between member and guest', () => {
    expect(pairs((from, to) => maySetRole('owner', from, to))).to.have.length(16)
    expect(pairs((from, to) => maySetRole('admin', from, to))).to.deep.equal([
      'member member',
      'member guest',
      'guest member',
      'guest guest',
    ])
    expect(pairs((from, to) => maySetRole('member', from, to))).to.deep.equal([])
  })
})
