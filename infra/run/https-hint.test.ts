import { expect } from 'chai'
import { httpsHint } from './https-hint.ts'

describe('the line about https of npm start', () => {
  it('is for those whose people come over plain HTTP from other machines', () => {
    expect(httpsHint({})).to.include('calls and notifications only with https')
    expect(httpsHint({ PUBLIC_URL: 'http://chat.lan', LISTEN_HOST: '0.0.0.0' })).to.be.a('string')
  })

  it('is left out with https, and where only this machine can come', () => {
    expect(httpsHint({ PUBLIC_URL: 'https://chat.lan' })).to.equal(undefined)
    for (const LISTEN_HOST of ['127.0.0.1', '::1', 'localhost'])
      expect(httpsHint({ LISTEN_HOST })).to.equal(undefined)
  })
})
