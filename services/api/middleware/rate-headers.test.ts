import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { DEFAULTS } from '#shared/runtime/settings.ts'
import { programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { rateHeaders } from './rate-headers.ts'

const { rate_limits: limits } = DEFAULTS
const [[other], [files], [manage]] = [limits.other, limits.files, limits.manage]

describe('the headers of limits (interface 19.1)', () => {
  let world: World
  before(async () => {
    world = await newWorld({
      settings: {
        channels: ['general'],
        rate_limit_enabled: true,
        rate_limits: { ...DEFAULTS.rate_limits, send: [18, 3_600], token: [50, 3_600] },
      },
    })
  })
  after(() => world.end())

  it('list the limits, with seconds rounded up', () => {
    const standings = [
      { name: 'send', count: 240, seconds: 60, remaining: 239, resets: 11_001 },
      { name: 'burst', count: 40, seconds: 5, remaining: 0, resets: 1 },
    ] as const
    expect(rateHeaders(standings)).to.deep.equal({
      'RateLimit-Policy': '"send";q=240;w=60, "burst";q=40;w=5',
      RateLimit: '"send";r=239;t=12, "burst";r=0;t=1',
    })
  })

  it('A8: count down for a program, and stay at the refusal', async () => {
    const program = await programOf(world.ada, { scopes: ['write'] })
    for (const [sent, status] of [200, 200, 200, 429].entries()) {
      const response = await program.postForm('/send/general', { text: `number ${sent}` })
      expect(response.status).to.equal(status)
      expect(response.headers.get('RateLimit-Policy')).to.equal(
        '"token";q=50;w=3600, "send";q=18;w=3600, "burst";q=3;w=300',
      )
      const remaining = [...response.headers.get('RateLimit')!.matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)]
      const taken = Math.min(sent + 1, 3)
      expect(remaining.map(([, name, left]) => [name, Number(left)])).to.deep.equal([
        ['token', 49 - sent],
        ['send', 18 - taken],
        ['burst', 3 - taken],
      ])
      for (const [, name, , resets] of remaining)
        expect(Number(resets), name).to.be.within(
          name === 'burst' ? 200 : 3_500,
          name === 'burst' ? 300 : 3_600,
        )
      expect(response.headers.has('Retry-After')).to.equal(status === 429)
      if (status === 429) {
        const request_id = response.headers.get('X-Request-Id')
        expect(await response.json()).to.deep.include({ code: 'rate_limited', request_id })
      }
    }
  })

  it('tell a long text with the next request', async () => {
    const program = await programOf(world.bob, { scopes: ['write'] })
    await program.postForm('/send/general', { text: 'a'.repeat(9_000) })
    const next = await program.postForm('/send/general', { text: 'short' })
    expect(next.headers.get('RateLimit')).to.include('"send";r=15;')
  })

  it('count for the person only what the scopes of a token allow', async () => {
    const reader = await programOf(world.mallory, { scopes: ['read'] })
    for (let sent = 0; sent < 4; sent++) {
      const refused = await reader.postForm('/send/general', { text: 'not allowed' })
      expect(refused.status).to.equal(403)
      expect(refused.headers.get('RateLimit-Policy')).to.equal('"token";q=50;w=3600')
    }
    expect((await world.mallory.postForm('/send/general', { text: 'allowed' })).status).to.equal(200)
  })

  it('count bytes of files in KiB, and a costly change as several', async () => {
    const program = await programOf(world.cleo, { scopes: ['channels'] })
    const counted = (response: Response) => [
      response.status,
      ...[...response.headers.get('RateLimit')!.matchAll(/"(\w+)";r=(\d+)/g)].map(([, ...one]) => one),
    ]
    const id = randomUUID()
    const begun = await program.putJson(`/uploads/${id}`, { name: 'a.bin', size: 5_000 })
    expect(counted(begun)).to.deep.equal([200, ['token', '49'], ['other', String(other - 1)]])
    const part = await program.appendPart(id, 0, new Uint8Array(5_000))
    expect(counted(part)).to.deep.equal([200, ['token', '48'], ['files', String(files * 1_024 - 5)]])
    const made = await program.postJson('/public_channels', { name: 'Project' })
    // With the token.
    expect(counted(made)).to.deep.equal([201, ['token', '47'], ['manage', String(manage - 2 * 60)]])
  })

  it('are not of sessions or of unknown tokens', async () => {
    const headers = { Authorization: `Bearer bothy_${'a'.repeat(40)}` }
    for (const response of [
      await world.cleo.fetch('/me'),
      await world.cleo.postForm('/send/general', { text: 'from a browser' }),
      await fetch(`${world.api[0]!.url}/me`, { headers }),
    ]) {
      expect(response.headers.has('RateLimit')).to.equal(false)
      expect(response.headers.has('RateLimit-Policy')).to.equal(false)
    }
  })
})
