import type { NetworkInterfaceInfo } from 'node:os'
import { expect } from 'chai'
import { officeHost } from './office-host.ts'

describe('the host for other machines of the office', () => {
  const at = (address: string, internal = false) =>
    ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo
  const interfaces = {
    lo: [at('127.0.0.1', true), at('::1', true)],
    docker0: [at('172.17.0.1')],
    eth0: [at('fe80::1'), at('169.254.1.1'), at('203.0.113.7')],
    wlan0: [at('192.168.1.20')],
  }

  it('is a private address of this machine where all addresses are served', () => {
    for (const all of ['0.0.0.0', '::']) expect(officeHost(all, interfaces)).to.equal('192.168.1.20')
    expect(officeHost('0.0.0.0', { ...interfaces, wlan0: [] })).to.equal('203.0.113.7')
  })

  it('is the address itself where one is served', () => {
    expect(officeHost('10.0.0.7', interfaces)).to.equal('10.0.0.7')
    expect(officeHost('fd00::7', interfaces)).to.equal('[fd00::7]')
    expect(officeHost('chat.lan', interfaces)).to.equal('chat.lan')
  })

  it('is none where only this machine is served, where there is no network, and where nothing is known', () => {
    for (const host of ['127.0.0.1', '127.0.1.1', '::1', 'localhost', undefined])
      expect(officeHost(host, interfaces), host).to.equal(undefined)
    expect(officeHost('0.0.0.0', { lo: interfaces.lo, docker0: interfaces.docker0 })).to.equal(undefined)
  })
})
