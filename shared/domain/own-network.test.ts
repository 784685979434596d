import { expect } from 'chai'
import { isLocal, isThisMachine } from './own-network.ts'

describe('a host name', () => {
  it('belongs to a network of one’s own by its address or its ending', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '10.1.2.3',
      '172.20.0.9',
      '192.168.1.4',
      '169.254.0.1',
    ])
      expect(isLocal(host), host).to.equal(true)
    for (const host of ['chat', 'chat.osier.lan', 'chat.local', 'chat.home.arpa', '[fd12:3456::1]'])
      expect(isLocal(host), host).to.equal(true)
    for (const host of [
      'chat.example.org',
      '172.32.0.1',
      '8.8.8.8',
      '192.169.0.1',
      '[2001:db8::1]',
      'lan.example.org',
    ])
      expect(isLocal(host), host).to.equal(false)
  })

  it('is this machine only for localhost and its addresses', () => {
    expect(['localhost', '127.0.0.1', '[::1]', '192.168.1.4', 'chat.local'].map(isThisMachine)).to.deep.equal(
      [...[true, true, true], ...[false, false]],
    )
  })
})
