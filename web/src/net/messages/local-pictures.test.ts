import { signal } from '@preact/signals'
import { expect } from 'chai'
import type { Pending } from '../../store/messages/pending.ts'
import { freePictures } from './local-pictures.ts'

describe('local pictures of sent messages', () => {
  it('are freed when their channel is left, unless they wait to be delivered', () => {
    const waiting = { key: 'waiting' } as Pending
    const channel = {
      pictures: new Map(['delivered', 'waiting', 'unconfirmed'].map(key => [key, `blob:${key}`])),
      pending: signal([waiting]),
      unconfirmed: new Map([['unconfirmed', { key: 'unconfirmed' } as Pending]]),
    }
    const revoked: string[] = []
    freePictures(channel, address => void revoked.push(address))
    expect(revoked).to.deep.equal(['blob:delivered'])
    expect([...channel.pictures.keys()]).to.deep.equal(['waiting', 'unconfirmed'])
  })
})
