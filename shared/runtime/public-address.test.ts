import { expect } from 'chai'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { isNeighbour, isPublicAddress, SPECIAL_RANGES } from './public-address.ts'

/** Public addresses close to the bounds of refused ranges. */
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2000::',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:831::200e',
  '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]

/** Spellings that no resolver returns. */
const NO_ADDRESS = [
  '',
  'localhost',
  '8.8.8',
  '134744072',
  '010.8.8.8',
  '8.8.8.010',
  '0x8.8.8.8',
  '8.8.8.8.',
  ' 8.8.8.8',
  '8.8.8.8/32',
  '8.8.8.256',
  '[2606:4700:4700::1111]',
  '2606:4700:4700::1111%eth0',
  '2606:4700:4700::1111/128',
  '2606::4700::1111',
  '２.2.2.2',
]

describe('a public address', () => {
  it('is outside of special-purpose ranges, at both bounds (RFC 6890)', () => {
    for (const { network, what } of SPECIAL_RANGES) {
      const { first, last } = endsOf(network)
      expect(isPublicAddress(first), `${first}, first of ${network}: ${what}`).to.equal(false)
      expect(isPublicAddress(last), `${last}, last of ${network}: ${what}`).to.equal(false)
    }
  })

  it('is outside of special-purpose ranges, for random addresses', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SPECIAL_RANGES),
        fc.infiniteStream(fc.nat(255)),
        ({ network }, bytes) => {
          expect(isPublicAddress(withinOf(network, bytes))).to.equal(false)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('is any other address, up to the bounds of those ranges', () => {
    for (const address of PUBLIC) expect(isPublicAddress(address), address).to.equal(true)
  })

  it('is no IPv6 address outside of allocated space (RFC 4291, 2.4), even if the library calls it unicast', () => {
    for (const address of ['::7f00:1', '::127.0.0.1', '1::1', '1fff::1', '4000::1', '8000::1', 'e000::1'])
      expect(isPublicAddress(address), address).to.equal(false)
  })

  it('is refused in spellings that no resolver returns', () => {
    for (const text of NO_ADDRESS) expect(isPublicAddress(text), text).to.equal(false)
  })

  it('has a documented reason for each excluded range', () => {
    for (const { network, rfc, what } of SPECIAL_RANGES) {
      expect(ipaddr.isValidCIDR(network), network).to.equal(true)
      expect(rfc).to.match(/^(RFC \d+|Azure)$/)
      expect(what).to.match(/^[A-Z0-9].*\.$/i)
    }
    expect(new Set(SPECIAL_RANGES.map(({ network }) => network))).to.have.property(
      'size',
      SPECIAL_RANGES.length,
    )
  })
})

describe('a neighbour', () => {
  const onLink = (cidr: string) => ({ eth0: [{ cidr } as never] })

  it('is an address on a link of this machine, even a public one', () => {
    expect(isNeighbour('2a00:1450:4001:831::7', onLink('2a00:1450:4001:831::1/64'))).to.equal(true)
    expect(isNeighbour('2a00:1450:4001:832::7', onLink('2a00:1450:4001:831::1/64'))).to.equal(false)
    expect(isNeighbour('93.184.216.99', onLink('93.184.216.34/24'))).to.equal(true)
    expect(isNeighbour('93.184.216.34', onLink('93.184.216.34/32'))).to.equal(true)
    expect(isNeighbour('93.184.217.99', onLink('93.184.216.34/24'))).to.equal(false)
  })

  it('is not the whole world behind a tunnel', () => {
    expect(isNeighbour('8.8.8.8', onLink('93.184.216.34/0'))).to.equal(false)
    expect(isNeighbour('8.8.8.8', { tun0: [{ cidr: null } as never] })).to.equal(false)
  })
})

function endsOf(network: string) {
  const [base, bits] = ipaddr.parseCIDR(network)
  const bytes = base.toByteArray()
  const fill = (bit: 0 | 1) =>
    bytes.map((byte, index) => {
      const free = Math.min(8, Math.max(0, (index + 1) * 8 - bits))
      const mask = (1 << free) - 1
      return bit ? byte | mask : byte & ~mask
    })
  return { first: ipaddr.fromByteArray(fill(0)).toString(), last: ipaddr.fromByteArray(fill(1)).toString() }
}

function withinOf(network: string, random: Iterator<number>) {
  const [base, bits] = ipaddr.parseCIDR(network)
  const bytes = base.toByteArray().map((byte, index) => {
    const free = Math.min(8, Math.max(0, (index + 1) * 8 - bits))
    return byte | (random.next().value & ((1 << free) - 1))
  })
  return ipaddr.fromByteArray(bytes).toString()
}
