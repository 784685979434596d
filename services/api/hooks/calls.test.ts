import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { HookCallPayload } from '#shared/domain/payloads/hooks.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { callsOf, noteCall } from './calls.ts'

interface Made {
  id: number
  url: string
}

/** ada owns the workspace; bob and cleo are members. */
describe('last calls of an incoming hook (interface 19.4)', function () {
  this.timeout(60_000)
  let world: World
  let stores: OpenStores
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'alerts'] } })
    stores = await storesOf(world.backing)
  })
  after(async () => {
    await stores?.stop()
    await world?.end()
  })

  async function makeHook(draft: object = {}): Promise<Made> {
    const response = await world.ada.postJson('/hooks_in', { name: 'Deploys', channel: 'alerts', ...draft })
    expect(response.status).to.equal(201)
    return (await response.json()) as Made
  }
  /** At the second process. */
  const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
    const at = world.api[1]!.url + new URL(url).pathname
    const response = await fetch(at, { method: 'POST', body, headers })
    return [response.status, await response.text()]
  }
  const calls = (id: number, viewer = world.ada) => viewer.get<HookCallPayload[]>(`/hooks_in/${id}/calls`)
  const statusFor = async (id: number, viewer = world.ada) =>
    (await viewer.fetch(`/hooks_in/${id}/calls`)).status
  const last = async (id: number) => (await calls(id))[0]

  it('are none at first, then the newest first, without anything of their bodies', async () => {
    const { id, url } = await makeHook()
    expect(await calls(id)).to.deep.equal([])
    const begin = stores.clock.now()
    await post(url, '{"text":"password of ada"}')
    await post(url, '{"hello":"password of ada"}')
    const [second, first] = await calls(id)
    expect(second).to.deep.equal({ ts: second!.ts, error: 'no_text', shape: null, test: false })
    expect(first).to.deep.equal({ ts: first!.ts, error: null, shape: 'slack', test: false })
    expect(second!.ts).to.be.at.least(first!.ts)
    expect(first!.ts).to.be.within(begin - 5, begin + 60)
  })

  it('have the code that the sender was told, and the shape', async () => {
    const signed = await makeHook()
    const secret = { secret: 'a secret of the sender' }
    expect((await world.ada.postJson(`/hooks_in/${signed.id}/sign_secret`, secret)).status).to.equal(200)
    const made = await world.ada.postJson('/public_channels', { name: `old ${randomUUID().slice(0, 8)}` })
    const { channel } = (await made.json()) as { channel: string }
    const archived = await makeHook({ channel })
    expect((await world.ada.postJson(`/channel_info/${channel}/archive`, {})).status).to.be.below(300)
    const plain = await makeHook()
    const filled = await makeHook({ template: 'On {{where}}' })
    const text = '{"text":"x"}'
    const push = {
      repository: { full_name: 'a/b', html_url: 'https://a.example/b' },
      ref: 'refs/heads/main',
      commits: [{ id: 'abcdef1', message: 'm', url: 'https://a.example/c' }],
      sender: { login: 'ada' },
    }
    const github = (event: string) => ({ 'X-GitHub-Event': event, 'Content-Type': 'application/json' })
    const sent: [hook: Made, path: string, body: string, headers: object, expected: object][] = [
      [plain, '', '{', {}, { error: 'invalid_payload', shape: null }],
      [plain, '', '{"text":{}}', {}, { error: 'invalid_payload', shape: 'slack' }],
      [plain, '/gitlab', '', {}, { error: 'no_text', shape: 'gitlab' }],
      [plain, '', '{"text":" "}', {}, { error: 'no_text', shape: 'slack' }],
      [plain, '', 'x'.repeat(257 * 1_024), {}, { error: 'payload_too_large', shape: null }],
      [plain, '', '{"text":"x","channel":"general"}', {}, { error: 'action_prohibited', shape: 'slack' }],
      [signed, '', text, {}, { error: 'invalid_signature', shape: 'slack' }],
      [archived, '/mattermost', text, {}, { error: 'channel_is_archived', shape: 'mattermost' }],
      [plain, '', JSON.stringify(push), github('push'), { error: null, shape: 'github' }],
      [plain, '', '{"zen":"x"}', github('ping'), { error: null, shape: 'github', ignored: true }],
      [filled, '', '{"where":"tap"}', {}, { error: null, shape: 'template' }],
    ]
    for (const [{ id, url }, path, body, headers, expected] of sent) {
      const [, answer] = await post(url + path, body, headers as Record<string, string>)
      const { ts, ...call } = (await last(id))!
      expect(call, body.slice(0, 40)).to.deep.equal({ ...expected, test: false })
      expect(answer).to.equal(call.error ?? 'ok')
    }
    // Refused before the hook is looked at.
    const before = await calls(plain.id)
    expect((await post(`${plain.url}/other`, text))[1]).to.equal('no_service')
    expect(await calls(plain.id)).to.deep.equal(before)
  })

  it('tell those of a page of this server', async () => {
    const { id, url } = await makeHook()
    const own = world.api[1]!.url
    const origins = [
      [own, true],
      ['https://other.example', false],
      ['null', false],
    ] as const
    for (const [origin, test] of origins) {
      const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin', Cookie: world.ada.cookie }
      expect(await post(url, '{"text":"x"}', headers)).to.deep.equal([200, 'ok'])
      expect(await last(id)).to.include({ error: null, test })
      expect(await post(url, '{}', headers)).to.deep.equal([400, 'no_text'])
      expect(await last(id)).to.include({ error: 'no_text', test })
    }
  })

  it('are at most 20, under one key that expires', async () => {
    const { id, url } = await makeHook()
    for (let i = 0; i < 22; i++) await post(url, i === 21 ? '{}' : '{"text":"x"}')
    const list = await calls(id)
    expect(list).to.have.length(20)
    expect(list[0]!.error).to.equal('no_text')
    const key = stores.keys.hookCalls(id)
    expect(await stores.redis.llen(key)).to.equal(20)
    expect(await stores.redis.ttl(key)).to.be.within(604_000, 604_800)
  })

  it('are for those who may change the hook', async () => {
    const { id, url } = await makeHook()
    await post(url, '{"text":"x"}')
    expect(await statusFor(id, world.bob)).to.equal(403)
    const den = await world.privateChannel('den', [world.bob, world.ada])
    const inDen = await makeHook({ channel: den })
    await post(inDen.url, '{"text":"x"}')
    expect(await calls(inDen.id, world.bob)).to.have.length(1)
    expect(await statusFor(inDen.id, world.mallory)).to.equal(404)
    expect(await statusFor(inDen.id + 1_000, world.mallory)).to.equal(404)
  })

  it('stay with a new address, and go with the hook', async () => {
    const { id, url } = await makeHook()
    await post(url, '{"text":"x"}')
    const path = `/hooks_in/${id}`
    const renewed = (await (await world.ada.postJson(`${path}/new_token`, {})).json()) as Made
    expect(await calls(id)).to.have.length(1)
    await post(renewed.url, '{"text":"x"}')
    expect(await calls(id)).to.have.length(2)
    expect((await world.ada.fetch(path, { method: 'DELETE' })).status).to.equal(204)
    expect(await statusFor(id)).to.equal(404)
    expect(await stores.redis.exists(stores.keys.hookCalls(id))).to.equal(0)
  })

  it('are none of a former hook with the same id', async () => {
    const of = (ts: number) => ({ ts, error: null, shape: null, test: false })
    for (const ts of [100, 200]) await noteCall(stores, 4_711, of(ts))
    expect(await callsOf(stores, { id: 4_711, created_ts: 150 })).to.deep.equal([of(200)])
  })

  it('are lost while Redis is away, and not told as none', async () => {
    const away = await storesOf(world.backing)
    try {
      away.redis.disconnect()
      await noteCall(away, 4_712, { ts: 1, error: null, shape: null, test: false })
      const told = await callsOf(away, { id: 4_712, created_ts: 0 }).catch(isRedisAway)
      expect(told).to.equal(true)
    } finally {
      await away.stop()
    }
  })
})

describe('calls of a hook beyond its limit', function () {
  this.timeout(60_000)
  let world: World
  before(async () => {
    world = await newWorld({ settings: { rate_limit_enabled: true, rate_limits: { hook: [3, 3_600] } } })
  })
  after(() => world?.end())

  it('are not noted', async () => {
    const made = await world.ada.postJson('/hooks_in', { name: 'Flood', channel: 'general' })
    const { id, url } = (await made.json()) as Made
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await fetch(url, { method: 'POST', body: '{}' })).status)
    expect(statuses).to.deep.equal([400, 400, 400, 429, 429, 429])
    const calls = await world.ada.get<HookCallPayload[]>(`/hooks_in/${id}/calls`)
    expect(calls.map(({ error }) => error)).to.deep.equal(['no_text', 'no_text', 'no_text'])
  })
})
