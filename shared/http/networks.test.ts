import { expect } from 'chai'
import { networkOf } from './networks.ts'

describe('the network by which an address is counted', () => {
  it('is the address itself for IPv4, in any notation', () => {
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1')
    expect(networkOf('::ffff:192.0.2.1')).to.equal('192.0.2.1')
    expect(networkOf('::FFFF:192.0.2.1')).to.equal('192.0.2.1')
  })

  it('is the /64 of an IPv6 address', () => {
    const network = '2001:db8:0:1::/64'
    for (const address of ['2001:db8:0:1::1', '2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:0db8::1:0:0:0:1']) {
      expect(networkOf(address), address).to.equal(network)
    }
    expect(networkOf('2001:db8:0:2::1')).to.not.equal(network)
    expect(networkOf('::1')).to.equal('0:0:0:0::/64')
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64')
  })

  it('is the text itself if it is not an address', () => {
    expect(networkOf('')).to.equal('')
    expect(networkOf('unknown')).to.equal('unknown')
  })
})
