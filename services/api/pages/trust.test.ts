import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { ClientConfigPayload } from '#shared/domain/payloads/client.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { AuthorityCertificate, authorityIn } from './authority.ts'

/** Made with openssl for this test; nobody has the key. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBlzCCAT2gAwIBAgIUGHa6rrpC/xhXNFxEec1GCazQaLYwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNSHV0IEF1dGhvcml0eTAgFw0yNjExMjMwNzE2MDJaGA8yMTI2
MTAzMDA3MTYwMlowGDEWMBQGA1UEAwwNSHV0IEF1dGhvcml0eTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABHtAzL3cpmiUYgonuMAHQFn5/FozfKaftD2CYUNVRrMn
1OxMiJfDTJxpNPA13SDPPp+trJqSI/nY2c2lkSrMKNmjYzBhMB0GA1UdDgQWBBSa
DtvmtNsZ+ltYjhQx2zpfptj44DAfBgNVHSMEGDAWgBSaDtvmtNsZ+ltYjhQx2zpf
ptj44DAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAKBggqhkjOPQQD
AgNIADBFAiEAlRwHJWVrf/mFAnV/5QmJaxmpN57YmmgDwrnSaxfn0g4CIA5axrIV
Gp+ZZEDY+wh2VedSRUOm36D2Pab/pL6tr9HR
-----END CERTIFICATE-----
`
/** A certificate of a server, not of an authority. */
const LEAF = `-----BEGIN CERTIFICATE-----
MIIBejCCASCgAwIBAgIUKmJh++7O0JyQPhU87PwrJA1glNUwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIY2hhdC5sYW4wIBcNMjYxMTIzMDcxNjAyWhgPMjEyNjEwMzAw
NzE2MDJaMBMxETAPBgNVBAMMCGNoYXQubGFuMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE2t4wHzkXqfi//KhSglMP6agJW9b3Z4cT4yjNLIRyXk8QMCI7e6+AQaX4
zosUCZ0TsIC0PAX7ZHcrvp+5fB8xsqNQME4wHQYDVR0OBBYEFFAiKHDmMy2n+CbR
zL6rPEaMYrUfMB8GA1UdIwQYMBaAFFAiKHDmMy2n+CbRzL6rPEaMYrUfMAwGA1Ud
EwEB/wQCMAAwCgYIKoZIzj0EAwIDSAAwRQIhANSrAmke7UE3NVcoCwKK1QfYpEi7
761knkapS3EDO4JSAiAlJ2megKcnJ25ZGRcGdNdwggn/MqMYRcKC+CZBCaHT4A==
-----END CERTIFICATE-----
`

describe('the page /trust (interface 17.5)', function () {
  this.timeout(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'bothy-authority-'))
  const file = join(folder, 'root.crt')
  let backing: TestBacking
  let withAuthority: RunningService
  let without: RunningService

  before(async () => {
    // A key beside the certificate is an operator's mistake.
    writeFileSync(file, `${AUTHORITY}-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n`)
    backing = await testBacking()
    const https = { PUBLIC_URL: 'https://chat.lan', AUTHORITY_CERTIFICATE: file }
    ;[withAuthority, without] = await Promise.all([
      startService('api', { ...backing.env, ...https }),
      startService('api', backing.env),
    ])
  })
  after(async () => {
    await Promise.all([withAuthority?.stop(), without?.stop()])
    await backing?.drop()
    rmSync(folder, { recursive: true })
  })

  const FINGERPRINT = authorityIn(Buffer.from(AUTHORITY)).fingerprint

  it('shows the fingerprint and the steps of each system without a session, in English and German', async () => {
    const response = await fetch(`${withAuthority.url}/trust`)
    const page = await response.text()
    expect(response.status).to.equal(200)
    for (const part of FINGERPRINT.match(/(?:..:){7}../g)!) expect(page).to.include(part)
    for (const system of ['Windows', 'macOS', 'iPhone and iPad', 'Android', 'Linux', 'Firefox'])
      expect(page).to.include(`<summary>${system}</summary>`)
    expect(page)
      .to.include('href="https://chat.lan/"')
      .and.to.include('<code>sudo update-ca-certificates</code>')
    const german = await fetch(`${withAuthority.url}/trust`, { headers: { 'Accept-Language': 'de' } })
    expect(await german.text()).to.include('<h1>Diesem Server vertrauen</h1>')
  })

  it('opens the steps of the system that asks', async () => {
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)'
    const page = await (
      await fetch(`${withAuthority.url}/trust`, { headers: { 'User-Agent': agent } })
    ).text()
    expect([...page.matchAll(/<details open><summary>(.*?)</g)].map(([, name]) => name)).to.deep.equal([
      'iPhone and iPad',
    ])
  })

  it('gives the certificate with the type that browsers install, and never a key beside it', async () => {
    const response = await fetch(`${withAuthority.url}/trust/bothy-authority.crt`)
    expect(response.headers.get('Content-Type')).to.equal('application/x-x509-ca-cert')
    expect(authorityIn(Buffer.from(await response.arrayBuffer())).fingerprint).to.equal(FINGERPRINT)
    const pem = await fetch(`${withAuthority.url}/trust/bothy-authority.pem`)
    expect(pem.headers.get('Content-Type')).to.include('application/x-pem-file')
    expect(await pem.text()).to.equal(AUTHORITY)
  })

  it('tells that there is nothing to install without an authority, and what to ask for', async () => {
    const page = await (await fetch(`${without.url}/trust`)).text()
    expect(page).to.include('<h1>This connection is not encrypted</h1>').and.to.include('its https address')
    expect(page).to.not.include('bothy-authority')
    expect((await fetch(`${without.url}/trust/bothy-authority.crt`)).status).to.equal(404)
    expect((await fetch(`${without.url}/trust/bothy-authority.pem`)).status).to.equal(404)
  })

  it('is known to the client by the fingerprint', async () => {
    const ada = await new Person('ada', without.url).signUp()
    expect((await ada.get<ClientConfigPayload>('/client_config')).authority).to.equal(null)
    const there = Object.assign(new Person('ada', withAuthority.url), { cookie: ada.cookie })
    expect((await there.get<ClientConfigPayload>('/client_config')).authority).to.equal(FINGERPRINT)
  })

  it('lets browsers insist on https for a day only, since an own authority may be lost', async () => {
    const { headers } = await fetch(`${withAuthority.url}/login`)
    expect(headers.get('Strict-Transport-Security')).to.equal('max-age=86400')
  })
})

describe('the certificate of the authority', () => {
  it('is not taken from a server’s certificate or from other text', async () => {
    expect(() => authorityIn(Buffer.from(LEAF))).to.throw('not the certificate of an authority')
    expect(() => authorityIn(Buffer.from('hello'))).to.throw()
    expect(await new AuthorityCertificate('missing.crt').read()).to.equal(undefined)
    expect(await new AuthorityCertificate(undefined).read()).to.equal(undefined)
  })

  it('comes from the front door, too, in at most 64 KiB', async () => {
    let asked = 0
    let body = AUTHORITY
    const server = createServer((_req, res) => {
      asked++
      res.end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/authority.crt`
    try {
      const certificate = new AuthorityCertificate(address)
      const [one, other] = await Promise.all([certificate.read(), certificate.read()])
      expect(one?.fingerprint).to.equal(authorityIn(Buffer.from(AUTHORITY)).fingerprint)
      expect(other).to.equal(one)
      expect(asked).to.equal(1)
      body = `${AUTHORITY}${'x'.repeat(64 * 1024)}`
      expect(await new AuthorityCertificate(address).read()).to.equal(undefined)
    } finally {
      server.close()
    }
  })
})
