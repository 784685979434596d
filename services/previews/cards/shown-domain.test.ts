import { expect } from 'chai'
import { shownDomain } from './shown-domain.ts'

describe('the domain of a card', () => {
  const CASES: [address: string, shown: string][] = [
    ['https://mill.example/x', 'mill.example'],
    ['https://MILL.example:8443/x', 'mill.example'],
    ['https://müller.example/', 'müller.example'],
    ['https://straße.example/', 'straße.example'],
    ['https://smørrebrød.example/', 'smørrebrød.example'],
    ['https://www.übermüller.example/', 'www.übermüller.example'],
    // Cyrillic а, е, о look like Latin letters.
    ['https://раура.example/', 'xn--80aa0cbo.example'],
    ['https://pаypal.example/', 'xn--pypal-4ve.example'],
    ['https://gıthub.example/', 'xn--gthub-n4a.example'],
    ['https://goog̀le.example/', 'xn--google-exd.example'],
    ['https://a.exampleノlogin.evil.example/', 'a.xn--examplelogin-ki5k.evil.example'],
    ['http://192.0.2.1/', '192.0.2.1'],
    ['http://[2001:db8::1]:81/', '[2001:db8::1]'],
  ]
  for (const [address, shown] of CASES) {
    it(`${address} is shown as ${shown}`, () => {
      expect(shownDomain(new URL(address))).to.equal(shown)
    })
  }
})
