import { expect } from 'chai'
import {
  besideAddress,
  hashOf,
  imageAddress,
  profileAddress,
  routeOf,
  splitAddress,
  threadAddress,
  viewOf,
} from './route.ts'

describe('the fragment of the address', () => {
  it('names a channel, a conversation and a message in it', () => {
    expect(routeOf('#/c/general')).to.deep.equal({ channel: 'general' })
    expect(routeOf('#/d/bob,ada')).to.deep.equal({ channel: 'dm:ada:bob' })
    expect(routeOf('#/c/general/m/12')).to.deep.equal({ channel: 'general', message: 12 })
  })

  it('names a private channel by its number', () => {
    expect(routeOf('#/p/7/m/3')).to.deep.equal({ channel: 'private:7', message: 3 })
    for (const hash of ['#/p/', '#/p/x', '#/p/07', '#/p/-1'])
      expect(routeOf(hash)).to.deep.equal({ unknown: true })
  })

  it('survives a round trip, whatever a channel is called', () => {
    for (const channel of ['general', 'q & a', 'a/b', 'größe', '100%', 'dm:__proto__:ada', 'private:7']) {
      expect(routeOf(hashOf(channel, 7))).to.deep.equal({ channel, message: 7 })
    }
  })

  it('is the start page when it is empty, and unknown when it makes no sense', () => {
    for (const hash of ['', '#', '#/']) expect(routeOf(hash)).to.deep.equal({})
    for (const hash of ['#/c/', '#/x/general', '#/d/ada', '#/d/,', '#nonsense/x'])
      expect(routeOf(hash)).to.deep.equal({ unknown: true })
    expect(routeOf('#/c/general/m/0x1')).to.deep.equal({ channel: 'general' })
    expect(routeOf('#/c/%E0%A4%A')).to.deep.equal({ channel: '%E0%A4%A' })
  })

  it('names a view, with or without a place below it', () => {
    expect(viewOf('#/settings')).to.deep.equal({ kind: 'settings', page: undefined })
    expect(viewOf('#/settings/appearance')).to.deep.equal({ kind: 'settings', page: 'appearance' })
    expect(viewOf('#/search/from%3Aada%20a/b')).to.deep.equal({ kind: 'search', words: 'from:ada a/b' })
    expect(viewOf('#/mentions')).to.deep.equal({ kind: 'mentions' })
    expect(viewOf('#/admin/people')).to.deep.equal({ kind: 'admin', page: 'people' })
    expect(viewOf('#/threads')).to.deep.equal({ kind: 'threads', thread: undefined })
    expect(viewOf(besideAddress('private:7', 12))).to.deep.equal({
      kind: 'threads',
      thread: { channel: 'private:7', message: 12 },
    })
    expect(viewOf('#/channels')).to.deep.equal({ kind: 'channels' })
    expect(viewOf('#/saved')).to.deep.equal({ kind: 'saved' })
    expect(viewOf('#/scheduled')).to.deep.equal({ kind: 'scheduled' })
    expect(viewOf(profileAddress('ada-1'))).to.deep.equal({ kind: 'profile', name: 'ada-1' })
    expect(viewOf('#/c/general/people')).to.deep.equal({ kind: 'details', tab: 'people' })
    expect(viewOf(imageAddress('private:7', 12))).to.deep.equal({
      kind: 'image',
      channel: 'private:7',
      message: 12,
    })
    expect(viewOf(threadAddress('general', 12))).to.deep.equal({
      kind: 'thread',
      channel: 'general',
      message: 12,
    })
    for (const hash of [
      '',
      '#/c/general/thread',
      '#/c/people',
      '#/c/general/m/12',
      '#/c/general/image',
      '#/people',
      '#/x',
    ])
      expect(viewOf(hash), hash).to.equal(undefined)
  })

  it('splits into a place and a view', () => {
    expect(splitAddress('')).to.deep.equal({ place: '#/' })
    expect(splitAddress('#/c/general/m/3')).to.deep.equal({ place: '#/c/general/m/3' })
    expect(splitAddress('#/settings/password')).to.deep.equal({ view: '#/settings/password' })
    expect(splitAddress('#/d/ada,bob/people')).to.deep.equal({
      place: '#/d/ada,bob',
      view: '#/d/ada,bob/people',
    })
    expect(splitAddress('#/c/general/m/3/image').place).to.equal('#/c/general/m/3')
    expect(splitAddress('#/c/general/m/3/thread').place).to.equal('#/c/general/m/3')
    expect(splitAddress('#/nonsense')).to.deep.equal({ place: '#/nonsense' })
  })
})
