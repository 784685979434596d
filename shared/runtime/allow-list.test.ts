import { expect } from 'chai'
import { allowListOf, readEntry } from './allow-list.ts'

describe('the list of private hosts that previews may reach', () => {
  it('matches hosts exactly, or all hosts below one', () => {
    const list = allowListOf(['wiki.corp.example', '*.lab.example'])
    for (const host of ['wiki.corp.example', 'wiki.corp.example.', 'a.lab.example', 'b.a.lab.example'])
      expect(list.hasHost(host, 8080), host).to.equal(true)
    for (const host of [
      'corp.example',
      'x.wiki.corp.example',
      'lab.example',
      'evillab.example',
      'wiki.corp.example.net',
    ])
      expect(list.hasHost(host, 80), host).to.equal(false)
  })

  it('matches addresses and networks of both families', () => {
    const list = allowListOf(['10.1.0.0/16', '192.168.7.7', 'fd00:7::/32', '::1'])
    for (const address of ['10.1.2.3', '192.168.7.7', 'fd00:7:1::1', '::1'])
      expect(list.hasAddress(address, 80), address).to.equal(true)
    for (const address of [
      '10.2.0.1',
      '192.168.7.8',
      'fd00:8::1',
      '::2',
      '127.0.0.1',
      '::ffff:10.1.2.3',
      'fd00:7::1%eth0',
    ])
      expect(list.hasAddress(address, 80), address).to.equal(false)
  })

  it('limits an entry with a port to this port, and opens it', () => {
    const list = allowListOf(['wiki.corp.example:81', '[fd00::7]:6000', '10.1.2.3:22', 'plain.corp.example'])
    expect(list.hasHost('wiki.corp.example', 81)).to.equal(true)
    expect(list.hasHost('wiki.corp.example', 80)).to.equal(false)
    expect(list.opensPort('wiki.corp.example', 81)).to.equal(true)
    expect(list.opensPort('fd00::7', 6000)).to.equal(true)
    expect(list.opensPort('10.1.2.3', 22)).to.equal(true)
    expect(list.opensPort('10.1.2.4', 22)).to.equal(false)
    expect(list.opensPort('plain.corp.example', 22)).to.equal(false)
    expect(list.hasAddress('10.1.2.3', 80)).to.equal(false)
  })

  it('compares names as the URL parser spells them', () => {
    const list = allowListOf([' Wiki.CORP.example ', 'bücher.example'])
    expect(list.hasHost('wiki.corp.example', 80)).to.equal(true)
    expect(list.hasHost('xn--bcher-kva.example', 80)).to.equal(true)
  })

  it('ignores malformed entries', () => {
    const texts = [
      '',
      ' ',
      '*',
      '*.',
      '**',
      '*.*',
      'a b',
      'http://x',
      'x/y',
      'u@x',
      '10.0.0.0/33',
      '10.0.0.0/',
      '::/129',
    ]
    for (const text of [
      ...texts,
      '10.0.0.0/8/8',
      '2130706433',
      '0x7f.1',
      '127.1',
      'x:0',
      'x:70000',
      'a.*.b',
      '[::1',
    ])
      expect(readEntry(text), text).to.equal(undefined)
    expect(allowListOf(texts).hasHost('', 80)).to.equal(false)
    expect(allowListOf(texts).hasAddress('10.0.0.1', 80)).to.equal(false)
  })
})
