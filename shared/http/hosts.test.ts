import { expect } from 'chai'
import { hostCheck } from './hosts.ts'

describe('accepted Host headers (DNS rebinding)', () => {
  const expectAll = (isOurs: (host: string | undefined) => boolean, answers: Record<string, boolean>) => {
    for (const [host, answer] of Object.entries(answers)) expect(isOurs(host), host).to.equal(answer)
  }

  it('are by default addresses, and names that strangers cannot own', () => {
    expectAll(hostCheck({ publicUrl: undefined, allowedHosts: [] }), {
      'localhost:3000': true,
      'LOCALHOST.': true,
      'chat.localhost': true,
      '127.0.0.1:3000': true,
      '192.168.1.20': true,
      '[::1]:3000': true,
      '[fd00::1]': true,
      bothy: true,
      'chat.local': true,
      'chat.osier.lan:8080': true,
      'chat.home.arpa': true,
      'chat.corp.internal': true,
      'evil.example': false,
      'evil.example:3000': false,
      '127.0.0.1.evil.example': false,
      'localhost.evil.example': false,
      'evillan.example': false,
      'chat.example.org': false,
      'evil.example\\@localhost': false,
      'evil.example/localhost': false,
      '[::1': false,
      '': false,
      '.': false,
    })
  })

  it('include the host of PUBLIC_URL, with any port, and those of ALLOWED_HOSTS', () => {
    const publicUrl = new URL('https://Chat.Example.org')
    expectAll(hostCheck({ publicUrl, allowedHosts: ['chat.example.net'] }), {
      'chat.example.org': true,
      'CHAT.example.org.:443': true,
      'chat.example.net:8443': true,
      localhost: true,
      'evil.example': false,
      'example.org': false,
      'a.chat.example.org': false,
    })
  })

  it('may be absent, because every browser sends one', () => {
    expect(hostCheck({ publicUrl: undefined, allowedHosts: [] })(undefined)).to.equal(true)
  })
})
