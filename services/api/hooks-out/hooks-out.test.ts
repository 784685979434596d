import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import type { DeliveryPayload, OutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { settingsRead } from '#shared/test-kit/quiet.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { warningOf } from './make-hook.ts'

describe('routes of outgoing hooks (interface 19.5)', function () {
  this.timeout(90_000)
  let world: World
  let db: pg.Client
  let server: Server
  let running: RunningService[] = []
  let at: string
  const signatures: string[] = []
  let status = 200

  before(async () => {
    world = await newWorld({ settings: { channels: ['general'], hooks_allow: ['127.0.0.0/8'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    server = createServer((req, res) => {
      signatures.push(String(req.headers['webhook-signature']))
      res.writeHead(status).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { env } = world.backing
    running = await Promise.all([startService('janitor', env), startService('previews', env)])
  })
  after(async () => {
    await Promise.all(running.map(service => service.stop()))
    server?.close()
    server?.closeAllConnections()
    await db?.end()
    await world?.end()
  })

  const draft = (more: object = {}) => ({ name: 'Deploys', url: at, events: ['message.created'], ...more })
  const codeOf = async (response: Response) => {
    const text = await response.text()
    return [response.status, text === '' ? undefined : (JSON.parse(text) as { code?: string }).code]
  }
  async function make(maker: Person, more: object = {}) {
    const response = await maker.postJson('/hooks_out', draft(more))
    const text = await response.text()
    expect(response.status, text).to.equal(201)
    return JSON.parse(text) as { id: number; secret: string; verify_token: string; warning?: string }
  }
  const listed = async (person: Person, id: number) =>
    (await person.get<OutgoingHookPayload[]>('/hooks_out')).find(hook => hook.id === id)
  const remove = (person: Person, id: number) => person.fetch(`/hooks_out/${id}`, { method: 'DELETE' })

  it('make a hook with a bot of its own, whose secrets are shown once', async () => {
    const client_id = randomUUID()
    const made = await make(world.bob, { client_id })
    expect(made.secret).to.match(/^whsec_[\w+/]{43}=$/)
    expect(made.verify_token).to.match(/^[0-9a-f]{32}$/)
    expect(made.warning, 'in hooks_allow').to.equal(undefined)
    const again = await make(world.bob, { client_id })
    expect(again).to.include({ id: made.id, secret: null, verify_token: null })
    expect(await listed(world.bob, made.id)).to.include({
      ...{ name: 'Deploys', url: at, format: 'standard', bot: 'deploys-hook', created_by: 'bob' },
      ...{ active: true, include_bots: false, channels: null, triggers: null, disabled_why: null },
    })
    const text = JSON.stringify(await world.bob.get('/hooks_out'))
    expect(text).to.not.include('whsec').and.not.include(made.verify_token)
    expect(await listed(world.ada, made.id)).to.include({ id: made.id })
    expect(await listed(world.cleo, made.id)).to.equal(undefined)
    expect((await make(world.bob, { url: 'http://10.0.0.7/' })).warning).to.match(/not public/)
  })

  it('refuse what does not fit', async () => {
    const { ada, bob } = world
    const den = await world.privateChannel('den', [ada])
    for (const [more, refusal] of [
      [{ events: ['audit.entry'] }, [403, 'forbidden']],
      [{ events: ['message.created', 'message.edited'], format: 'slack' }, [400, 'invalid']],
      [{ events: ['everything'] }, [400, 'invalid']],
      [{ channels: [den] }, [400, 'invalid']],
      [{ bot: 'ada' }, [400, 'invalid']],
      [{ url: 'ftp://a.example/' }, [400, 'invalid']],
      [{ url: 'http://user:secret@a.example/' }, [400, 'invalid']],
      [{ triggers: ['two words'] }, [400, 'invalid']],
      [{ triggers: Array(20).fill('語'.repeat(50)) }, [400, 'invalid']],
    ] as const)
      expect(await codeOf(await bob.postJson('/hooks_out', draft(more))), JSON.stringify(more)).to.deep.equal(
        refusal,
      )
  })

  it('are for the maker and administrators; for others there is no such hook', async () => {
    const { ada, bob, cleo } = world
    const { id } = await make(bob)
    for (const asked of [
      () => cleo.patchJson(`/hooks_out/${id}`, { name: 'x' }),
      () => remove(cleo, id),
      () => cleo.postJson(`/hooks_out/${id}/new_secret`, {}),
      () => cleo.postJson(`/hooks_out/${id}/test`, {}),
      () => cleo.fetch(`/hooks_out/${id}/deliveries`),
    ])
      expect(await codeOf(await asked())).to.deep.equal([404, 'not_found'])
    expect((await ada.patchJson(`/hooks_out/${id}`, { name: 'Ours', triggers: ['deploy'] })).status).to.equal(
      204,
    )
    expect(await listed(bob, id)).to.deep.include({ name: 'Ours', triggers: ['deploy'] })
    expect((await remove(bob, id)).status).to.equal(204)
    expect(await codeOf(await remove(bob, id))).to.deep.equal([404, 'not_found'])
    const { rows } = await db.query(
      `select action from audit_log where action like 'hook_out.%' and (detail ->> 'hook')::bigint = $1 order by id`,
      [id],
    )
    expect(rows.map(({ action }) => action)).to.deep.equal([
      'hook_out.created',
      'hook_out.changed',
      'hook_out.deleted',
    ])
  })

  it('sign with both secrets after a new one, and tell what came back to a test', async () => {
    const { bob } = world
    const { id } = await make(bob)
    const renewed = await bob.postJson(`/hooks_out/${id}/new_secret`, {})
    expect((await renewed.json()) as object).to.have.keys('secret')
    const tested = await bob.postJson(`/hooks_out/${id}/test`, {})
    expect((await tested.json()) as object).to.include({ status: 200 })
    signatures.length = 0
    await bob.send('general', 'signed twice')
    await eventually(() => expect(signatures.some(text => /^v1,\S+ v1,\S+$/.test(text))).to.equal(true))
  })

  it('take two tests of a person at once, whose receivers may be silent', async () => {
    const { bob, cleo, backing } = world
    const settings = { channels: ['general'], hooks_allow: ['127.0.0.0/8'] }
    backing.settings({ ...settings, rate_limit_enabled: true })
    await settingsRead()
    const waiting: (() => void)[] = []
    const silent = createServer((_req, res) => waiting.push(() => res.end())).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    try {
      const { id } = await make(bob, { url })
      const test = async () => (await bob.postJson(`/hooks_out/${id}/test`, {})).status
      const first = [test(), test()]
      await eventually(() => expect(waiting).to.have.length(2))
      expect(await test()).to.equal(429)
      const other = await make(cleo)
      expect((await cleo.postJson(`/hooks_out/${other.id}/test`, {})).status).to.equal(200)
      for (const end of waiting) end()
      expect(await Promise.all(first)).to.deep.equal([200, 200])
      await remove(bob, id)
      await remove(cleo, other.id)
    } finally {
      silent.closeAllConnections()
      silent.close()
      backing.settings({ ...settings, rate_limit_enabled: false })
    }
  })

  it('list deliveries by page, and try one again', async () => {
    const { bob } = world
    const { id } = await make(bob)
    status = 500
    for (const text of ['one', 'two', 'three']) await bob.send('general', text)
    const page = (query = '') => bob.get<Page<DeliveryPayload>>(`/hooks_out/${id}/deliveries?limit=2${query}`)
    await eventually(async () => {
      const { items } = await page('&state=waiting')
      expect(items.map(({ attempt, last_status }) => [attempt, last_status])).to.deep.equal([
        [1, 500],
        [1, 500],
      ])
    })
    const first = await page()
    const rest = await page(`&cursor=${first.next}`)
    expect([first.items.length, rest.items.length, rest.next]).to.deep.equal([2, 1, null])
    expect(first.items[0]).to.include({ event: 'message.created', state: 'waiting', last_error: 'status' })
    status = 200
    const [delivery] = first.items
    expect((await bob.postJson(`/deliveries/${delivery!.id}/again`, {})).status).to.equal(204)
    await eventually(async () =>
      expect((await page('&state=sent')).items.map(one => one.id)).to.include(delivery!.id),
    )
    expect(await codeOf(await world.cleo.postJson(`/deliveries/${delivery!.id}/again`, {}))).to.deep.equal([
      404,
      'not_found',
    ])
    await bob.patchJson(`/hooks_out/${id}`, { active: false })
    expect(await codeOf(await bob.postJson(`/deliveries/${delivery!.id}/again`, {}))).to.deep.equal([
      409,
      'conflict',
    ])
  })

  it('end when their bot gets another owner, for whom it reads from then on', async () => {
    const { ada, bob } = world
    const { id } = await make(bob, { name: 'Passed on' })
    const { bot } = (await listed(bob, id))!
    const own = await make(ada, { name: 'Kept', bot: null })
    expect((await bob.patchJson(`/bots/${bot}`, { owner: 'cleo' })).status).to.equal(204)
    expect(await listed(bob, id)).to.include({ active: false, disabled_why: 'person' })
    expect(await listed(ada, own.id)).to.include({ active: true })
    expect(await codeOf(await bob.patchJson(`/hooks_out/${id}`, { active: true }))).to.deep.equal([
      400,
      'invalid',
    ])
    expect((await ada.patchJson(`/bots/${bot}`, { owner: 'bob' })).status).to.equal(204)
    expect((await bob.patchJson(`/hooks_out/${id}`, { active: true })).status).to.equal(204)
    const { rows } = await db.query(
      `select detail from audit_log where action = 'hook_out.disabled' and (detail ->> 'hook')::bigint = $1`,
      [id],
    )
    expect(rows).to.deep.equal([{ detail: { hook: id, why: 'person' } }])
  })

  it('lose the events for administrators with the role of their maker, also once they pass on', async () => {
    const { ada, mallory } = world
    await db.query(`update users set role = 'admin' where username = 'mallory'`)
    const both = await make(mallory, { events: ['message.created', 'audit.entry'] })
    const alone = await make(mallory, { events: ['audit.entry'] })
    expect((await ada.patchJson('/admin/people/mallory', { role: 'member' })).status).to.equal(204)
    expect(await listed(ada, both.id)).to.deep.include({ events: ['message.created'], active: true })
    expect(await listed(ada, alone.id)).to.deep.include({
      ...{ events: [], active: false, disabled_why: 'person' },
    })
    expect((await ada.postJson('/admin/people/mallory/deactivate', {})).status).to.equal(204)
    expect(await listed(ada, both.id)).to.deep.include({ created_by: 'ada', events: ['message.created'] })
  })

  it('ask for the password again before a new address', async () => {
    const { bob } = world
    const { id } = await make(bob)
    const settings = { rate_limit_enabled: false, channels: ['general'], hooks_allow: ['127.0.0.0/8'] }
    world.backing.settings({ ...settings, confirm_minutes: 0.001 })
    await eventually(async () =>
      expect(
        await codeOf(await bob.patchJson(`/hooks_out/${id}`, { url: `http://${randomUUID()}.example/` })),
      ).to.deep.equal([403, 'confirm_required']),
    )
    const { url } = (await listed(bob, id))!
    expect(await codeOf(await bob.patchJson(`/hooks_out/${id}`, { url: at, name: 'New' }))).to.deep.equal([
      403,
      'confirm_required',
    ])
    expect(await listed(bob, id)).to.include({ url, name: 'Deploys' })
    expect((await bob.patchJson(`/hooks_out/${id}`, { name: 'Other' })).status).to.equal(204)
    world.backing.settings(settings)
  })
})

describe('the warning of an address', () => {
  const CASES: [string, string[], boolean][] = [
    ['https://hooks.example.com/', [], false],
    ['https://1.1.1.1/', [], false],
    ['https://[2606:4700:4700::1111]/', [], false],
    ['http://localhost:8080/', [], true],
    ['http://deploy.lan/', [], true],
    ['http://10.0.0.7/', [], true],
    ['http://100.64.0.7/', [], true],
    ['http://2130706433/', [], true],
    ['http://[::1]/', [], true],
    ['http://[::ffff:10.0.0.7]/', [], true],
    ['http://10.0.0.7:8080/', ['10.0.0.0/8'], false],
    ['http://10.0.0.7:8080/', ['10.0.0.7:80', '192.168.0.0/16'], true],
    ['https://deploy.lan/', ['*.lan:443'], false],
    ['http://[fd00::7]/', ['fd00::/8'], false],
  ]
  for (const [url, allowed, isWarned] of CASES)
    it(`is ${isWarned ? 'told' : 'left out'} for ${url} with [${allowed.join()}] in hooks_allow`, () => {
      expect('warning' in warningOf(url, allowed)).to.equal(isWarned)
    })
})
