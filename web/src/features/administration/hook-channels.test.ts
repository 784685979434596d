import { expect } from 'chai'
import { channelsForHook } from './hook-channels.ts'

describe('channels offered for a hook', () => {
  const known = {
    isAdmin: false,
    joined: ['general', 'tools', 'design'],
    managed: new Set(['tools', 'left']),
    inside: ['private:1'],
  }

  it('are the public ones that a member manages, and the private ones', () => {
    expect(channelsForHook(known)).to.deep.equal(['tools', 'private:1'])
    expect(channelsForHook({ ...known, managed: new Set() })).to.deep.equal(['private:1'])
  })

  it('are all for administrators', () => {
    const all = ['general', 'tools', 'design', 'private:1']
    expect(channelsForHook({ ...known, isAdmin: true, managed: new Set() })).to.deep.equal(all)
  })

  it('have the present one of a hook once', () => {
    expect(channelsForHook(known, 'design')).to.deep.equal(['design', 'tools', 'private:1'])
    expect(channelsForHook(known, 'tools')).to.deep.equal(['tools', 'private:1'])
  })
})
