import { expect } from 'chai'
import { browserNamed } from './user-agent.ts'

describe('the name of a browser in the list of sessions', () => {
  const named = (userAgent: string) => {
    const { browser, system, isHandheld } = browserNamed(userAgent)
    return [browser, system, isHandheld]
  }

  it('names browser and system as people do', () => {
    expect(named('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).to.deep.equal([
      'Firefox',
      'Linux',
      false,
    ])
    expect(
      named(
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      ),
    ).to.deep.equal(['Safari', 'Mac', false])
    expect(
      named(
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      ),
    ).to.deep.equal(['Chrome', 'Android', true])
    expect(
      named(
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      ),
    ).to.deep.equal(['Edge', 'Windows', false])
  })

  it('is undefined for an unknown user agent', () => {
    expect(named('')).to.deep.equal([undefined, undefined, false])
    expect(named('made/1.0 by hand')).to.deep.equal([undefined, undefined, false])
  })
})
