import { expect } from 'chai'
import { hashOf, routeOf } from './route.ts'

describe('the fragment of the address', () => {
  it('names a channel, a conversation and a message in it', () => {
    expect(routeOf('#/c/general')).to.deep.equal({ channel: 'general' })
    expect(routeOf('#/d/bob,ada')).to.deep.equal({ channel: 'dm:ada:bob' })
    expect(routeOf('#/c/general/m/12')).to.deep.equal({ channel: 'general', message: 12 })
  })

  it('names a private channel by its number', () => {
    expect(routeOf('#/p/7/m/3')).to.deep.equal({ channel: 'private:7', message: 3 })
    for (const hash of ['#/p/', '#/p/x', '#/p/07', '#/p/-1']) expect(routeOf(hash)).to.deep.equal({})
  })

  it('survives a round trip, whatever a channel is called', () => {
    for (const channel of ['general', 'q & a', 'a/b', 'größe', '100%', 'dm:__proto__:ada', 'private:7']) {
      expect(routeOf(hashOf(channel, 7))).to.deep.equal({ channel, message: 7 })
    }
  })

  it('is empty when it makes no sense', () => {
    for (const hash of ['', '#', '#/', '#/c/', '#/x/general', '#/d/ada', '#/d/,'])
      expect(routeOf(hash)).to.deep.equal({})
    expect(routeOf('#/c/general/m/0x1')).to.deep.equal({ channel: 'general' })
    expect(routeOf('#/c/%E0%A4%A')).to.deep.equal({ channel: '%E0%A4%A' })
  })
})
