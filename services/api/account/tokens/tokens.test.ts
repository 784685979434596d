import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { AnybodysTokenPayload, TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { newTokenText } from '#shared/http/token-text.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { Program, programOf, tokenOf } from '#shared/test-kit/program.ts'
import { openTab, requestStream } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

interface CodedError {
  error: string
  code: string
  request_id: string
}

/** Base reads (interface 4) whose response does not depend on the session itself. */
const BASE_READS = [
  '/channels',
  '/channel_unreads',
  '/dms',
  '/unread_count',
  '/mentions',
  '/users',
  '/channel_members/general',
  '/messages/general?after=0',
  '/read_receipts/general',
  '/search_messages?q=hello',
  '/private_channels',
  '/settings',
  '/user_colors',
  '/user_avatars',
  '/profile/bob',
  '/online_users',
  '/presence/override',
  '/typing/general',
  '/calls/incoming',
  '/screenshare/active?channel=general',
  '/client_config',
]

describe('tokens (interface 19)', function () {
  this.timeout(60_000)
  let world: World
  let gateway: RunningService
  let db: pg.Client
  let ada: Person
  let bob: Person
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    ;({ ada, bob } = world)
    gateway = await startService('events', world.backing.env)
    db = new pg.Client(world.backing.adminDatabaseUrl)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await gateway.stop()
    await world.end()
  })

  const newcomer = () => somebody(world.api[0]!.url).signUp()
  const elsewhere = (program: Program) => new Program(program.name, world.api[1]!.url, program.token)
  async function refusal(response: Response): Promise<[number, string, string]> {
    const body = (await response.json()) as CodedError
    expect(response.headers.get('Content-Type')).to.include('application/json')
    expect(body.request_id).to.equal(response.headers.get('X-Request-Id'))
    expect(Object.keys(body)).to.have.members(['error', 'code', 'request_id'])
    return [response.status, body.code, body.error]
  }
  const UNAUTHORIZED = [401, 'unauthorized', 'This token is unknown, has expired or was ended.']

  describe('A1: a request with a token', () => {
    it('reads what the cookie reads, at every replica, and has no session', async () => {
      await ada.send('general', 'hello')
      const program = await programOf(ada)
      for (const path of BASE_READS) {
        const [byCookie, byToken] = await Promise.all([ada.fetch(path), program.fetch(path)])
        expect(byToken.status, path).to.equal(200)
        expect(await byToken.text(), path).to.equal(await byCookie.text())
        expect(byToken.headers.getSetCookie(), path).to.deep.equal([])
        expect((await elsewhere(program).fetch(path)).status, path).to.equal(200)
      }
      expect((await program.get<MePayload>('/me')).username).to.equal('ada')
    })

    it('sends, edits, reacts and deletes with the success bodies of the base', async () => {
      const program = await programOf(ada, { scopes: ['write'] })
      const id = await program.send('general', 'by a program')
      expect((await program.edit(id, 'anew')).status).to.equal(200)
      expect((await program.react(id, '👍')).status).to.equal(200)
      const [row] = (await bob.messages('general')).filter(message => message.id === id)
      expect(row).to.include({ sender: 'ada', content: 'anew' })
      expect(await (await program.delete(id)).text()).to.equal(
        await (await ada.delete(await ada.send('general', 'x'))).text(),
      )
    })

    it('ignores the cookie: a bad token is 401 as JSON on any address, and nothing redirects', async () => {
      const unknown = newTokenText()
      const wrong = `${unknown.slice(0, -1)}${unknown.endsWith('0') ? '1' : '0'}`
      for (const authorization of [
        `Bearer ${unknown}`,
        `Bearer ${wrong}`,
        'Bearer x',
        'Bearer',
        'bearer  ',
        'BEARER y',
      ]) {
        for (const [method, path] of [
          ['GET', '/'],
          ['GET', '/channels'],
          ['GET', '/me'],
          ['GET', '/login'],
          ['GET', '/nowhere'],
          ['POST', '/send/general'],
          ['POST', '/presence'],
          ['POST', '/calls/initiate'],
          ['GET', '/admin/stats'],
        ] as const) {
          const response = await ada.fetch(path, { method, headers: { Authorization: authorization } })
          expect(await refusal(response), `${authorization} ${path}`).to.deep.equal(UNAUTHORIZED)
          expect(response.headers.get('WWW-Authenticate')).to.equal('Bearer')
        }
      }
      const stream = await requestStream(gateway.url, ada.cookie, { token: unknown })
      expect(await refusal(stream)).to.deep.equal(UNAUTHORIZED)
      expect(stream.headers.get('WWW-Authenticate')).to.equal('Bearer')
    })

    it('with another scheme of Authorization has the session of its cookie', async () => {
      for (const authorization of ['Basic YWRhOng=', 'Token x', 'Bearerish x'])
        expect((await ada.fetch('/me', { headers: { Authorization: authorization } })).status).to.equal(200)
      const stranger = await fetch(`${ada.at}/me`, {
        headers: { Authorization: 'Basic x' },
        redirect: 'manual',
      })
      expect(stranger.status).to.equal(302)
    })

    it('needs no form token and no origin of this site, but a host name of it', async () => {
      const program = await programOf(ada, { scopes: ['write'] })
      const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://other.example' }
      const sent = await program.fetch('/send/general', {
        method: 'POST',
        headers: foreign,
        body: new URLSearchParams({ text: 'from afar' }),
      })
      expect(sent.status).to.equal(200)
      expect(sent.headers.get('Access-Control-Allow-Origin')).to.equal(null)
      const { cookie } = ada
      const byCookie = await fetch(`${ada.at}/send/general`, {
        method: 'POST',
        headers: { ...foreign, Cookie: cookie },
        body: new URLSearchParams({ text: 'x' }),
      })
      expect(byCookie.status).to.equal(403)
    })

    it('gets every refusal as JSON, on base paths too', async () => {
      const program = await programOf(bob, { scopes: ['write'] })
      expect(await refusal(await program.fetch('/messages/nowhere'))).to.deep.equal([
        403,
        'forbidden',
        'forbidden',
      ])
      expect(await refusal(await program.fetch('/nowhere'))).to.deep.equal([404, 'not_found', 'not found'])
      expect(await refusal(await program.postForm('/send/general'))).to.deep.equal([
        400,
        'bad_request',
        'empty',
      ])
      expect(await refusal(await program.postJson('/calls/initiate', { channel: 'x' }))).to.include(403)
      expect((await refusal(await program.fetch('/thread/0')))[1]).to.equal('not_found')
      expect(await refusal(await program.fetch('/admin/stats'))).to.deep.equal([
        403,
        'forbidden',
        'This token may not administer (scope admin).',
      ])
    })

    it('leaves the presence of its person as it is', async () => {
      const kim = await newcomer()
      const program = await programOf(kim, { scopes: ['write'] })
      const before = await bob.get<Record<string, string>>('/online_users')
      await program.send('general', 'hi')
      await program.get('/channels')
      const tab = await openTab(gateway.url, '', { token: program.token })
      await tab.waitFor(({ last }) => last.online_users)
      expect((await bob.get<Record<string, string>>('/online_users'))[kim.name]).to.equal(before[kim.name])
      tab.close()
    })
  })

  describe('scopes', () => {
    it('are contained in each other, and a missing one is named', async () => {
      const [read, write, channels, admin] = await Promise.all(
        ['read', 'write', 'channels', 'admin'].map(scope => programOf(ada, { scopes: [scope] })),
      )
      const list = await ada.get<TokenPayload[]>('/tokens')
      const scopesOf = ({ id }: { id: number }) => list.find(token => token.id === id)!.scopes
      expect(scopesOf(read!)).to.deep.equal(['read'])
      expect(scopesOf(write!)).to.deep.equal(['read', 'write'])
      expect(scopesOf(channels!)).to.deep.equal(['read', 'write', 'channels'])
      expect(scopesOf(admin!)).to.deep.equal(['read', 'write', 'admin'])

      const send = (program: Person) => program.postForm('/send/general', { text: 'x' })
      const make = (program: Person) =>
        program.postJson('/public_channels', { name: `c-${randomUUID().slice(0, 8)}` })
      const administer = (program: Person) => program.fetch('/admin/people')
      const outcomes = async (program: Person) =>
        Promise.all([send(program), make(program), administer(program)].map(async one => (await one).status))
      expect(await outcomes(read!)).to.deep.equal([403, 403, 403])
      expect(await outcomes(write!)).to.deep.equal([200, 403, 403])
      expect(await outcomes(channels!)).to.deep.equal([200, 201, 403])
      expect(await outcomes(admin!)).to.deep.equal([200, 403, 200])
      expect(await refusal(await send(read!))).to.deep.equal([
        403,
        'forbidden',
        'This token may not write (scope write).',
      ])
    })

    it('give no more than the role of the person, at that moment', async () => {
      const kim = await newcomer()
      await ada.patchJson(`/admin/people/${kim.name}`, { role: 'admin' })
      const program = await programOf(kim, { scopes: ['admin'] })
      expect((await program.fetch('/admin/people')).status).to.equal(200)
      expect((await ada.patchJson(`/admin/people/${kim.name}`, { role: 'member' })).status).to.equal(204)
      expect(await refusal(await program.fetch('/admin/people'))).to.include(403)
      expect((await program.fetch('/me')).status, 'the rest stays').to.equal(200)
    })

    it('reach neither sessions, passwords, deletion, other tokens, nor acts that ask for the password', async () => {
      const program = await programOf(ada, { scopes: ['write', 'channels', 'admin'] })
      for (const [method, path, body] of [
        ['GET', '/session', undefined],
        ['GET', '/sessions', undefined],
        ['GET', '/csrf_token', undefined],
        ['DELETE', '/sessions/x', undefined],
        ['GET', '/logout', undefined],
        ['GET', '/', undefined],
        ['POST', '/change-password', {}],
        ['POST', '/delete_account', { type: 'soft', password: PASSWORD }],
        ['POST', '/confirm', { password: PASSWORD }],
        ['POST', '/tokens', { name: 'more' }],
        ['POST', `/admin/people/${bob.name}/reset_link`, {}],
        ['POST', `/admin/people/${bob.name}/delete`, { type: 'soft' }],
        ['PATCH', `/admin/people/${bob.name}`, { role: 'admin' }],
      ] as const) {
        const response = await program.fetch(path, {
          method,
          ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
        })
        expect(await refusal(response), `${method} ${path}`).to.deep.equal([
          403,
          'forbidden',
          'This takes no token: sign in for it.',
        ])
      }
      expect((await ada.fetch('/me')).status).to.equal(200)
    })
  })

  describe('limited to channels', () => {
    it('read and write these alone; others are not found, lists are cut, people are seen, nothing is made', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      const other = await world.privateChannel('other', [ada, bob])
      const inOther = await ada.send(other, 'secret')
      const inDen = await ada.send(den, 'open')
      await bob.send('dm:ada:bob', 'direct')
      const program = await programOf(ada, { scopes: ['channels'], channels_only: ['general', den] })
      expect(await program.get('/channels')).to.deep.equal(['general'])
      expect(
        (await program.get<{ channel: string }[]>('/private_channels')).map(one => one.channel),
      ).to.deep.equal([den])
      expect(await program.get('/dms')).to.deep.equal([])
      expect(Object.keys(await program.get<object>('/channel_unreads'))).to.have.members(
        Object.keys(await ada.get<object>('/channel_unreads')).filter(id => id === 'general'),
      )
      expect(await program.get('/users')).to.deep.equal(await ada.get('/users'))
      expect((await program.fetch('/people')).status).to.equal(200)

      const id = await program.send('general', 'here')
      await program.send(den, 'and here')
      expect((await program.react(inDen, '👍')).status).to.equal(200)
      expect((await program.fetch(`/message/${inDen}`)).status).to.equal(200)
      expect((await program.fetch(`/thread/${inDen}`)).status).to.equal(200)
      expect((await program.edit(id, 'changed')).status).to.equal(200)
      for (const [method, path] of [
        ['GET', `/messages/${other}`],
        ['GET', '/messages/design'],
        ['GET', '/messages/dm:ada:bob'],
        ['POST', '/send/design'],
        ['POST', `/send/${other}`],
        ['GET', `/message/${inOther}`],
        ['GET', `/thread/${inOther}`],
        ['POST', `/react/${inOther}`],
        ['PUT', `/pin/${inOther}`],
        ['POST', `/delete/${inOther}`],
        ['GET', `/channel_info/${other}`],
        ['GET', '/channel_people/design'],
        ['POST', `/private_channels/${other.split(':')[1]}/leave`],
        ['GET', '/files/none.png'],
        ['GET', '/messages/nowhere'],
      ] as const)
        expect(await refusal(await program.fetch(path, { method })), path).to.include(404)
      for (const [method, path] of [
        ['POST', '/public_channels'],
        ['POST', '/private_channels/create'],
        ['POST', '/groups'],
        ['GET', '/search?q=secret'],
        ['GET', '/search_messages?q=secret'],
        ['GET', '/inbox'],
        ['GET', '/threads'],
        ['GET', '/saved'],
        ['GET', '/drafts'],
        ['GET', '/scheduled'],
        ['GET', `/linked_messages?ids=${inOther}`],
        ['POST', `/forward/${inDen}`],
        ['POST', '/mark_all_read'],
      ] as const)
        expect(await refusal(await program.fetch(path, { method })), path).to.deep.equal([
          403,
          'forbidden',
          'This token is limited to channels, and may not do this.',
        ])
    })

    it('follow the channel by a stream that tells of no other', async () => {
      const den = await world.privateChannel('stream', [ada, bob])
      const program = await programOf(ada, { channels_only: [den] })
      const tab = await openTab(gateway.url, '', {
        token: program.token,
        channel: den,
        deltas: [
          'inbox',
          'sidebar',
          'me',
          'people',
          'counts',
          'lists',
          'running_calls',
          'channel_info',
          'workspace',
        ],
      })
      await tab.waitFor(({ last }) => last.typing && last.online_users)
      await bob.send('general', '@ada elsewhere')
      await bob.send('dm:ada:bob', 'elsewhere')
      await bob.send(den, 'in it')
      await tab.waitFor(one => one.rows().some(row => row.content === 'in it'))
      await bob.send(den, 'and more')
      await tab.waitFor(one => one.rows().some(row => row.content === 'and more'))
      const told = new Set(tab.events())
      for (const event of [
        'dms',
        'channel_unreads',
        'private_channels',
        'mentions',
        'inbox',
        'sidebar',
        'lists',
        'counts',
        'incoming_calls',
        'running_calls',
        'unread_count',
      ])
        expect([...told], event).to.not.include(event)
      expect(tab.raw).to.not.include('elsewhere')
      tab.close()
      const wrong = await requestStream(gateway.url, '', { token: program.token, channel: 'general' })
      expect(await refusal(wrong)).to.include(404)
    }).timeout(90_000)

    it('take ids in any form, and only channels that the person reads', async () => {
      const den = await world.privateChannel('named', [ada, bob])
      const make = async (person: Person, channels_only: unknown) => {
        const response = await person.postJson('/tokens', { name: 'x', channels_only })
        const body = (await response.json()) as TokenPayload & CodedError
        return response.status === 201 ? body.channels_only : body.code
      }
      expect(await make(ada, ['dm:BOB:ada', den, 'general', 'general'])).to.deep.equal([
        'dm:ada:bob',
        den,
        'general',
      ])
      expect(await make(world.mallory, [den])).to.equal('invalid')
      expect(await make(ada, ['nowhere'])).to.equal('invalid')
      expect(await make(ada, [])).to.equal('invalid')
      expect(await make(ada, Array(51).fill('general'))).to.equal('invalid')
      expect(await make(ada, [7])).to.equal('invalid')
      expect(await make(ada, 'general')).to.equal('required')
      expect(await make(ada, null)).to.equal(null)
    })
  })

  describe('end', () => {
    /** A program with an open stream, known to all processes. */
    async function running(person: Person, body: object = { scopes: ['write'] }) {
      const program = await programOf(person, body)
      for (const at of [program, elsewhere(program)]) expect((await at.fetch('/me')).status).to.equal(200)
      const tab = await openTab(gateway.url, '', { token: program.token, channel: 'general' })
      await tab.waitFor(({ last }) => last.messages)
      return { program, tab }
    }
    /** Within a second: every process refuses the token, and its stream has ended. */
    async function expectEnded({ program, tab }: Awaited<ReturnType<typeof running>>) {
      const since = performance.now()
      for (const at of [program, elsewhere(program)])
        expect(await refusal(await at.fetch('/me'))).to.deep.equal(UNAUTHORIZED)
      expect(await refusal(await requestStream(gateway.url, '', { token: program.token }))).to.deep.equal(
        UNAUTHORIZED,
      )
      await eventually(() => expect(tab.isOpen).to.equal(false))
      expect(performance.now() - since).to.be.below(1_000)
    }

    it('A1: by revocation, whose repetition changes nothing, and by nobody else', async () => {
      const { program, tab } = await running(ada)
      const { id } = program
      expect((await bob.fetch(`/tokens/${id}`, { method: 'DELETE' })).status).to.equal(404)
      expect((await program.fetch('/me')).status).to.equal(200)
      expect(tab.isOpen).to.equal(true)
      for (let i = 0; i < 2; i++)
        expect((await ada.fetch(`/tokens/${id}`, { method: 'DELETE' })).status).to.equal(204)
      await expectEnded({ program, tab })
      const [listed] = (await ada.get<TokenPayload[]>('/tokens')).filter(token => token.id === id)
      expect(listed!.ended).to.equal('revoked')
      const { rows } = await db.query(
        `select actor, target, detail from audit_log where action = 'token.revoked' order by id desc`,
      )
      expect(rows[0]).to.deep.equal({ actor: 'ada', target: 'ada', detail: { token: id, name: 'script' } })
      expect(rows.filter(row => row.detail.token === id)).to.have.length(1)
    })

    it('by an administrator, for anybody', async () => {
      const kim = await newcomer()
      const { program, tab } = await running(kim)
      expect((await ada.fetch(`/tokens/${program.id}`, { method: 'DELETE' })).status).to.equal(204)
      await expectEnded({ program, tab })
    })

    it('by itself, and by others of its person that may write', async () => {
      const [first, second, third, foreign] = await Promise.all([
        programOf(ada),
        programOf(ada),
        programOf(ada, { scopes: ['admin'] }),
        programOf(bob),
      ])
      const end = (by: Person, { id }: { id: number }) => by.fetch(`/tokens/${id}`, { method: 'DELETE' })
      expect((await end(first!, second!)).status).to.equal(403)
      expect((await end(third!, foreign!)).status, 'of its own person only').to.equal(404)
      expect((await end(third!, second!)).status).to.equal(204)
      expect((await end(first!, first!)).status).to.equal(204)
      expect((await first!.fetch('/me')).status).to.equal(401)
    })

    it('A10: with the deactivation of their person, for good', async () => {
      const kim = await newcomer()
      const run = await running(kim)
      expect((await ada.postJson(`/admin/people/${kim.name}/deactivate`, {})).status).to.equal(204)
      await expectEnded(run)
      expect((await ada.postJson(`/admin/people/${kim.name}/reactivate`, {})).status).to.equal(204)
      expect((await run.program.fetch('/me')).status).to.equal(401)
    })

    it('when their person becomes a guest, who makes none', async () => {
      const kim = await newcomer()
      const run = await running(kim)
      expect(
        (await ada.patchJson(`/admin/people/${kim.name}`, { role: 'guest', channels: ['general'] })).status,
      ).to.equal(204)
      await expectEnded(run)
      expect(await refusal(await kim.postJson('/tokens', { name: 'x' }))).to.deep.equal([
        403,
        'forbidden',
        'You may not make tokens here.',
      ])
    })

    it('with a change of the password, and with the deletion of the account', async () => {
      const kim = await newcomer()
      const run = await running(kim)
      const { csrf_token } = await kim.get<{ csrf_token: string }>('/csrf_token')
      const changed = await kim.postForm('/change-password', {
        csrf_token,
        current_password: PASSWORD,
        new_password: `${PASSWORD}-anew`,
        confirm_password: `${PASSWORD}-anew`,
      })
      expect(changed.status).to.equal(200)
      await expectEnded(run)
      const later = await running(kim)
      const gone = await kim.postJson('/delete_account', { type: 'soft', password: `${PASSWORD}-anew` })
      expect(gone.status).to.equal(200)
      await expectEnded(later)
    })

    it('with a change of the password, and none is made after it by a request of a session that it ended', async () => {
      const kim = await newcomer()
      const { csrf_token } = await kim.get<{ csrf_token: string }>('/csrf_token')
      const waiting = (count: number) =>
        eventually(async () => {
          const { rowCount } = await db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          expect(rowCount).to.equal(count)
        })
      const { cookie } = kim
      const thief = Object.assign(new Person(kim.name, world.api[1]!.url), { cookie })
      await db.query('begin')
      await db.query('select from users where username = $1 for update', [kim.name])
      const changing = kim.postForm('/change-password', {
        csrf_token,
        current_password: PASSWORD,
        new_password: `${PASSWORD}-anew`,
        confirm_password: `${PASSWORD}-anew`,
      })
      await waiting(1)
      const making = thief.postJson('/tokens', { name: 'stays' })
      await waiting(2)
      await db.query('rollback')
      expect((await changing).status).to.equal(200)
      expect((await making).status).to.equal(302)
      expect(await kim.get('/tokens')).to.deep.equal([])
      expect((await kim.postJson('/tokens', { name: 'of the new session' })).status).to.be.oneOf([201, 403])
    })

    it('with the sessions if the administrator says so', async () => {
      const kim = await newcomer()
      const run = await running(kim)
      expect((await ada.postJson(`/admin/people/${kim.name}/end_sessions`, {})).status).to.equal(204)
      expect((await run.program.fetch('/me')).status).to.equal(200)
      expect(run.tab.isOpen).to.equal(true)
      expect(
        (await ada.postJson(`/admin/people/${kim.name}/end_sessions`, { tokens: true })).status,
      ).to.equal(204)
      await expectEnded(run)
    })

    it('while requests run: those that began end well, later ones are refused', async () => {
      const { program } = await running(ada, { scopes: ['read'] })
      const statuses: number[] = []
      let isOver = false
      const ask = async (at: Program) => {
        while (!isOver) statuses.push((await at.fetch('/channels')).status)
      }
      const asking = [ask(program), ask(elsewhere(program)), ask(program)]
      await eventually(() => expect(statuses.length).to.be.above(20))
      expect((await ada.fetch(`/tokens/${program.id}`, { method: 'DELETE' })).status).to.equal(204)
      const after = await Promise.all([program.fetch('/channels'), elsewhere(program).fetch('/channels')])
      isOver = true
      await Promise.all(asking)
      expect(after.map(({ status }) => status)).to.deep.equal([401, 401])
      expect(new Set(statuses)).to.deep.equal(new Set([200, 401]))
    })
  })

  describe('are made', () => {
    it('with defaults, and shown once', async () => {
      const made = await ada.postJson('/tokens', { name: '  deploy  script ' })
      expect(made.status).to.equal(201)
      const body = (await made.json()) as TokenPayload & { token: string }
      expect(body.token).to.match(/^bothy_[0-9A-Za-z]{49}$/)
      expect(body).to.include({ last_used_ts: null, last_used_from: null, ended: null, channels_only: null })
      expect(body.scopes).to.deep.equal(['read'])
      expect(body.expires_ts! - body.created_ts).to.be.closeTo(365 * 86_400, 1)
      const listed = (await ada.get<TokenPayload[]>('/tokens')).find(({ id }) => id === body.id)
      const { token: _, ...rest } = body
      expect(listed).to.deep.equal(rest)
      const { rows } = await db.query('select * from api_tokens where id = $1', [body.id])
      expect(JSON.stringify(rows)).to.not.include(body.token)
      const { rows: entries } = await db.query(
        `select actor, target, detail from audit_log where action = 'token.created' order by id desc limit 1`,
      )
      expect(entries[0]).to.deep.equal({
        actor: 'ada',
        target: 'ada',
        detail: { token: body.id, name: body.name, scopes: ['read'] },
      })
    })

    it('only after the password was given', async () => {
      const kim = await newcomer()
      world.backing.settings({
        rate_limit_enabled: false,
        channels: ['general', 'design'],
        confirm_minutes: 0.001,
      })
      try {
        await eventually(async () =>
          expect((await refusal(await kim.postJson('/tokens', { name: 'x' }))).slice(0, 2)).to.deep.equal([
            403,
            'confirm_required',
          ]),
        )
      } finally {
        world.backing.settings({ rate_limit_enabled: false, channels: ['general', 'design'] })
      }
      // The next tests use both processes.
      for (const { url } of world.api) {
        kim.at = url
        await eventually(async () =>
          expect((await kim.postJson('/tokens', { name: 'x' })).status).to.equal(201),
        )
      }
    })

    it('that administer, or never expire, by administrators alone', async () => {
      for (const body of [{ scopes: ['admin'] }, { expires_in_days: 0 }]) {
        expect(
          (await refusal(await bob.postJson('/tokens', { name: 'x', ...body }))).slice(0, 2),
        ).to.deep.equal([403, 'forbidden'])
        expect((await ada.postJson('/tokens', { name: 'x', ...body })).status).to.equal(201)
      }
    })

    it('by those of `who_makes_tokens`', async () => {
      expect((await ada.patchJson('/admin/settings', { who_makes_tokens: 'admins' })).status).to.equal(204)
      try {
        await eventually(async () =>
          expect((await bob.get<MePayload>('/me')).may).to.not.include('make_tokens'),
        )
        expect((await bob.postJson('/tokens', { name: 'x' })).status).to.equal(403)
        expect((await ada.postJson('/tokens', { name: 'x' })).status).to.equal(201)
      } finally {
        expect((await ada.patchJson('/admin/settings', { who_makes_tokens: null })).status).to.equal(204)
      }
      await eventually(async () => expect((await bob.get<MePayload>('/me')).may).to.include('make_tokens'))
    })

    it('once by a client_id, also by two requests at once; only the first response has the token', async () => {
      const client_id = randomUUID()
      const ask = (at: string) => {
        ada.at = at
        return ada.postJson('/tokens', { name: 'once', client_id })
      }
      const home = ada.at
      try {
        const both = await Promise.all([ask(world.api[0]!.url), ask(world.api[1]!.url)])
        const bodies = (await Promise.all(both.map(one => one.json()))) as {
          id: number
          token: string | null
        }[]
        expect(both.map(({ status }) => status)).to.deep.equal([201, 201])
        expect(new Set(bodies.map(({ id }) => id)).size).to.equal(1)
        expect(bodies.filter(({ token }) => token !== null)).to.have.length(1)
        const again = (await (await ask(home)).json()) as { id: number; token: string | null }
        expect(again.id).to.equal(bodies[0]!.id)
        expect(again.token).to.equal(null)
        const { rows } = await db.query('select body from made_once where client_id = $1', [client_id])
        expect(JSON.stringify(rows)).to.not.include('bothy_')
      } finally {
        ada.at = home
      }
    })

    it('at most fifty a person, also at once; ended ones do not count', async () => {
      const kim = await newcomer()
      const first = await tokenOf(kim)
      for (let i = 1; i < 48; i++) await tokenOf(kim)
      const rest = await Promise.all(Array.from({ length: 6 }, () => kim.postJson('/tokens', { name: 'x' })))
      expect(rest.filter(({ status }) => status === 201)).to.have.length(2)
      const [refused] = rest.filter(({ status }) => status !== 201)
      expect((await refusal(refused!)).slice(0, 2)).to.deep.equal([409, 'conflict'])
      expect((await kim.fetch(`/tokens/${first.id}`, { method: 'DELETE' })).status).to.equal(204)
      expect((await kim.postJson('/tokens', { name: 'x' })).status).to.equal(201)
      const listed = await kim.get<TokenPayload[]>('/tokens')
      expect(listed).to.have.length(51)
      expect(listed.at(-1)!.ended).to.equal('revoked')
    })

    it('from fields that are checked', async () => {
      const any = [null, 7, [], {}, true, 'x'.repeat(10_000), 'a\0b', '\ud800']
      for (const field of ['name', 'scopes', 'channels_only', 'expires_in_days', 'client_id']) {
        for (const value of any) {
          const isAllowed =
            (value === null && ['channels_only', 'client_id'].includes(field)) ||
            (value === 7 && field === 'expires_in_days')
          const { status } = await ada.postJson('/tokens', { name: 'x', [field]: value })
          expect(status, `${field} ${JSON.stringify(value)?.slice(0, 20)}`).to.equal(isAllowed ? 201 : 400)
        }
      }
      for (const [body, code] of [
        [{}, 'required'],
        [{ name: '' }, 'required'],
        [{ name: 7 }, 'required'],
        [{ name: 'x'.repeat(81) }, 'too_long'],
        [{ name: 'x', scopes: [] }, 'invalid'],
        [{ name: 'x', scopes: ['all'] }, 'invalid'],
        [{ name: 'x', scopes: 'read' }, 'required'],
        [{ name: 'x', expires_in_days: -1 }, 'invalid'],
        [{ name: 'x', expires_in_days: 3_651 }, 'invalid'],
        [{ name: 'x', expires_in_days: 1.5 }, 'invalid'],
        [{ name: 'x', client_id: 'x' }, 'invalid'],
      ] as const) {
        const [status, given] = await refusal(await ada.postJson('/tokens', body))
        expect([status, given], JSON.stringify(body)).to.deep.equal([400, code])
      }
    })
  })

  it('are listed for administrators, of everybody or one person, in pages', async () => {
    const kim = await newcomer()
    for (let i = 0; i < 3; i++) await tokenOf(kim, { name: `number ${i}` })
    const page = async (query: string) =>
      ada.get<{ items: AnybodysTokenPayload[]; next: string | null }>(`/admin/tokens?${query}`)
    const first = await page(`username=${kim.name.toUpperCase()}&limit=2`)
    expect(first.items.map(({ name }) => name)).to.deep.equal(['number 2', 'number 1'])
    expect(first.items[0]).to.include({ username: kim.name, created_by: kim.name })
    const second = await page(`username=${kim.name}&limit=2&cursor=${first.next}`)
    expect(second.items.map(({ name }) => name)).to.deep.equal(['number 0'])
    expect(second.next).to.equal(null)
    expect((await page('limit=200')).items.length).to.be.at.least(3)
    expect(JSON.stringify(await page(''))).to.not.match(/bothy_|hash/)
    expect((await refusal(await ada.fetch('/admin/tokens?username=nobody-here')))[1]).to.equal('not_found')
    expect((await refusal(await ada.fetch('/admin/tokens?limit=0')))[1]).to.equal('invalid')
    expect((await refusal(await bob.fetch('/admin/tokens'))).slice(0, 2)).to.deep.equal([403, 'forbidden'])
  })

  it('tell when they were used, with the address only where addresses are logged', async () => {
    const program = await programOf(ada)
    await program.get('/me')
    const listed = async () => (await ada.get<TokenPayload[]>('/tokens')).find(({ id }) => id === program.id)!
    const before = await listed()
    expect(before.last_used_ts).to.be.closeTo(Date.now() / 1_000, 30)
    expect(before.last_used_from).to.equal(null)
    await program.get('/me')
    expect((await listed()).last_used_ts, 'once a minute').to.equal(before.last_used_ts)
    world.backing.settings({
      rate_limit_enabled: false,
      channels: ['general', 'design'],
      log_addresses: true,
    })
    try {
      await eventually(async () => {
        const other = await programOf(ada)
        await other.get('/me')
        const { last_used_from } = (await ada.get<TokenPayload[]>('/tokens')).find(
          ({ id }) => id === other.id,
        )!
        expect(last_used_from).to.match(/^127\.0\.0\.1$|^::/)
      })
    } finally {
      world.backing.settings({ rate_limit_enabled: false, channels: ['general', 'design'] })
    }
  })

  it('count by themselves, and for the address while they are none', async () => {
    const limits = (more: object) =>
      world.backing.settings({
        channels: ['general', 'design'],
        rate_limits: { token: [5, 60], anonymous: [5, 60], ...more },
      })
    const kim = await newcomer()
    const program = await programOf(kim)
    const other = await programOf(kim)
    limits({})
    try {
      const bad = new Program('x', program.at, newTokenText())
      const until429 = async (at: Program) => {
        const response = await at.fetch('/channels')
        expect((await refusal(response)).slice(0, 2)).to.deep.equal([429, 'rate_limited'])
        expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 60)
      }
      // Both processes, or one could take over the limits after they ended.
      for (const at of [program, elsewhere(program)]) await eventually(() => until429(at))
      expect((await other.fetch('/channels')).status).to.equal(200)
      expect((await kim.fetch('/channels')).status).to.equal(200)
      await eventually(() => until429(bad))
      expect((await other.fetch('/channels')).status, 'from the same address').to.equal(200)
      const late = await programOf(kim)
      expect((await late.fetch('/channels')).status, 'of a token made since').to.equal(200)
      expect((await kim.fetch(`/tokens/${late.id}`, { method: 'DELETE' })).status).to.equal(204)
      expect((await late.fetch('/channels')).status, 'of one ended since').to.equal(429)
    } finally {
      world.backing.settings({ rate_limit_enabled: false, channels: ['general', 'design'] })
      for (const at of [program, elsewhere(program)])
        await eventually(async () => expect((await at.fetch('/channels')).status).to.equal(200))
    }
  })
})
