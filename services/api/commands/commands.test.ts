import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type { WorkspacePayload } from '#shared/domain/payloads/administration.ts'
import type { CommandPayload, MadeCommandPayload } from '#shared/domain/payloads/commands.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { MOST_COMMANDS } from './change-commands.ts'

describe('commands of the workspace (interface 19.6)', () => {
  let world: World
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    await world.ada.postJson('/bots', { username: 'deploy-bot' })
  })
  after(async () => {
    await db.end()
    await world.end()
  })
  beforeEach(() => db.query('delete from slash_commands'))

  const draft = { name: 'deploy', url: 'https://deploy.example/run?key=k', bot: 'deploy-bot' }
  const statusAndCode = async (response: Response) => {
    const text = await response.text()
    return [response.status, text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : text]
  }
  const make = (by: Person, more: Record<string, unknown> = {}) =>
    by.postJson('/commands', { ...draft, ...more })
  const remove = (by: Person, name: string) => by.fetch(`/commands/${name}`, { method: 'DELETE' })
  const list = (by: Person) => by.get<CommandPayload[]>('/commands')
  const revision = async () => (await world.bob.get<WorkspacePayload>('/workspace')).commands_rev
  const actions = async () =>
    (
      await db.query<{ action: string }>(
        `select action from audit_log where action like 'command.%' order by id`,
      )
    ).rows.map(row => row.action)

  it('are made with secrets that are shown once, and listed for everybody', async () => {
    const { ada, bob } = world
    const before = await revision()
    const client_id = randomUUID()
    const about = { description: 'Deploys a branch', usage: '[branch]', client_id }
    const response = await make(ada, about)
    expect(response.status).to.equal(201)
    const made = (await response.json()) as MadeCommandPayload
    expect(made.name).to.equal('deploy')
    expect(made.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made.verify_token).to.match(/^[0-9a-f]{32}$/)
    const again = (await (await make(ada, about)).json()) as MadeCommandPayload
    expect(again).to.deep.equal({ name: 'deploy', secret: null, verify_token: null })
    const shown = { name: 'deploy', description: 'Deploys a branch', usage: '[branch]' }
    expect(await list(bob)).to.deep.equal([shown])
    const [full] = await list(ada)
    expect({ ...full, created_ts: 0 }).to.deep.equal({
      ...shown,
      url: draft.url,
      bot: 'deploy-bot',
      created_by: 'ada',
      created_ts: 0,
      last_used_ts: null,
      last_error: null,
    })
    expect(await revision()).to.be.above(before)
    const { rows } = await db.query('select * from slash_commands')
    expect(JSON.stringify(rows)).to.not.include(made.secret!.slice(6)).and.not.include(made.verify_token!)
  })

  it('are changed and removed, which the audit log tells, and readers hear of', async () => {
    const { ada, bob } = world
    const former = (await actions()).length
    await make(ada)
    const made = await revision()
    expect((await ada.patchJson('/commands/deploy', { description: 'New', usage: null })).status).to.equal(
      204,
    )
    const changed = await revision()
    expect(changed).to.be.above(made)
    expect((await ada.patchJson('/commands/deploy', { description: 'New' })).status).to.equal(204)
    expect(await revision(), 'the same again').to.equal(changed)
    expect((await list(bob))[0]!.description).to.equal('New')
    expect((await remove(ada, 'deploy')).status).to.equal(204)
    expect(await list(bob)).to.deep.equal([])
    expect(await revision()).to.be.above(changed)
    expect((await actions()).slice(former)).to.deep.equal([
      'command.created',
      'command.changed',
      'command.deleted',
    ])
    expect(await statusAndCode(await remove(ada, 'deploy'))).to.deep.equal([404, 'not_found'])
    expect(await statusAndCode(await ada.patchJson('/commands/deploy', { usage: 'x' }))).to.deep.equal([
      404,
      'not_found',
    ])
  })

  it('are refused to others than administrators, and for what is no bot, address or free name', async () => {
    const { ada, bob } = world
    expect(await statusAndCode(await make(bob))).to.deep.equal([403, 'forbidden'])
    await make(ada)
    expect(await statusAndCode(await bob.patchJson('/commands/deploy', { usage: 'x' }))).to.deep.equal([
      403,
      'forbidden',
    ])
    expect(await statusAndCode(await remove(bob, 'deploy'))).to.deep.equal([403, 'forbidden'])
    const refused: [Record<string, unknown>, number, string][] = [
      [{}, 409, 'conflict'],
      [{ name: 'help' }, 409, 'conflict'],
      [{ name: 'Deploy' }, 400, 'invalid'],
      [{ name: 'de ploy' }, 400, 'invalid'],
      [{ name: 'x'.repeat(33) }, 400, 'invalid'],
      [{ name: 'new', bot: 'bob' }, 400, 'invalid'],
      [{ name: 'new', bot: 'nobody' }, 400, 'invalid'],
      [{ name: 'new', url: 'ftp://a.example/' }, 400, 'invalid'],
      [{ name: 'new', url: 'https://user@a.example/' }, 400, 'invalid'],
      [{ name: 'new', url: `https://a.example/${'x'.repeat(2_048)}` }, 400, 'invalid'],
      [{ name: 'new', description: 'x'.repeat(201) }, 400, 'too_long'],
    ]
    for (const [more, ...expected] of refused)
      expect(await statusAndCode(await make(ada, more)), JSON.stringify(more).slice(0, 60)).to.deep.equal(
        expected,
      )
    expect((await list(bob)).map(({ name }) => name)).to.deep.equal(['deploy'])
  })

  it('are at most 200, also when two are made at once', async () => {
    await db.query(
      `insert into slash_commands (name, url, secret_enc, verify_token_enc, bot, created_ts)
       select 'c' || i, 'https://a.example/', '', '', 'deploy-bot', 0 from generate_series(1, $1) i`,
      [MOST_COMMANDS - 1],
    )
    const both = await Promise.all([make(world.ada, { name: 'one' }), make(world.ada, { name: 'two' })])
    expect(both.map(({ status }) => status).toSorted()).to.deep.equal([201, 409])
    expect(await list(world.bob)).to.have.length(MOST_COMMANDS)
  })

  it('go with their bot', async () => {
    const { ada, bob } = world
    await ada.postJson('/bots', { username: 'short-bot' })
    await make(ada, { name: 'short', bot: 'short-bot' })
    const before = await revision()
    expect((await ada.fetch('/bots/short-bot', { method: 'DELETE' })).status).to.equal(204)
    await eventually(async () => expect(await list(bob)).to.deep.equal([]))
    expect(await revision()).to.be.above(before)
  })

  it('need the password again where they are made, and where their address changes', async () => {
    const { ada } = world
    await make(ada)
    world.backing.settings({ rate_limit_enabled: false, channels: ['general'], confirm_minutes: 0.001 })
    await eventually(async () =>
      expect(await statusAndCode(await make(ada, { name: 'new' }))).to.deep.equal([403, 'confirm_required']),
    )
    const change = (body: Record<string, unknown>) => ada.patchJson('/commands/deploy', body)
    expect(await statusAndCode(await change({ url: 'https://other.example/' }))).to.deep.equal([
      403,
      'confirm_required',
    ])
    expect((await change({ url: draft.url, usage: 'x' })).status, 'the same address').to.equal(204)
    expect((await list(ada))[0]).to.include({ url: draft.url, usage: 'x' })
  })
})
