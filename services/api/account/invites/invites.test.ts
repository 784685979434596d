import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import jsQR from 'jsqr'
import pg from 'pg'
import sharp from 'sharp'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import { OF_OWN_CHANNELS } from '#shared/notices/invalidations.ts'
import { fromText } from '#shared/notices/notice.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { settledNoticeId } from '#shared/test-kit/settled-notices.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

interface Invite {
  id: number
  code: string
  url: string
  role: string
  channels: string[]
  created_by: string
  uses: number
  valid: boolean
}

const NOT_VALID = 'This invitation is not valid any more.'

describe('sign-up modes and invitations (interface 16.4)', () => {
  let world: World
  let db: pg.Client
  /** The owner and a member. */
  let ada: Person
  let bob: Person
  let den: string
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    ;({ ada, bob } = world)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    den = await world.privateChannel('den', [ada, bob])
    await ada.send(den, 'from before')
  })
  after(async () => {
    await db.end()
    await world.end()
  })
  beforeEach(() => db.query('delete from audit_log'))

  async function invite(body: object = {}, person = ada): Promise<Invite> {
    const response = await person.postJson('/invites', body)
    expect(response.status, await response.clone().text()).to.equal(201)
    return (await response.json()) as Invite
  }
  const signUp = (person: Person, more: Record<string, string> = {}) =>
    person.postForm('/signup', {
      username: person.name,
      password: PASSWORD,
      confirm_password: PASSWORD,
      ...more,
    })
  const stranger = () => somebody(world.api[0]!.url)
  const outcomeOf = async (response: Response) => (response.status === 302 ? 'in' : await response.text())
  const roleOf = async (person: Person) => (await person.get<MePayload>('/me')).role
  const audit = async () => (await db.query('select actor, action, target from audit_log order by id')).rows
  async function refusal(response: Response) {
    const { code } = (await response.json()) as { code: string }
    return [response.status, code]
  }
  async function mode(signup_mode: string | null) {
    expect((await ada.patchJson('/admin/settings', { signup_mode })).status).to.equal(204)
    for (const { url } of world.api) {
      await eventually(async () => {
        const { signup_mode: now } = await new Person('', url)
          .fetch('/workspace', {
            headers: { Cookie: ada.cookie },
          })
          .then(response => response.json() as Promise<{ signup_mode: string }>)
        expect(now).to.equal(signup_mode ?? 'open')
      })
    }
  }
  const userCount = async () => Number((await db.query('select count(*) from users')).rows[0].count)

  describe('decide who gets an account', () => {
    afterEach(() => mode(null))

    for (const [name, page, without, withOne] of [
      ['open', 'action="/signup"', 'in', 'in'],
      [
        'invite',
        'You need an invitation to join. Ask a colleague for a link.',
        'You need an invitation to sign up here.',
        'in',
      ],
      ['approval', 'An administrator approves each account.', 'Your account waits for approval.', 'in'],
      [
        'closed',
        'Accounts are made by the administrators here.',
        'Accounts are made by the administrators here.',
        'Accounts are made by the administrators here.',
      ],
    ] as const) {
      it(`${name}: the page, and sign-up without and with an invitation`, async () => {
        await mode(name)
        const { code } = await invite()
        const shown = await (await stranger().fetch('/signup')).text()
        expect(shown).to.include(page)
        expect(shown.includes('name="password"')).to.equal(name === 'open' || name === 'approval')

        const [first, second, third] = [stranger(), stranger(), stranger()]
        expect(await outcomeOf(await signUp(first))).to.include(without)
        expect(await outcomeOf(await signUp(second, { invite: code }))).to.include(withOne)
        if (withOne === 'in') expect(await roleOf(second)).to.equal('member')
        const bad = await outcomeOf(await signUp(third, { invite: 'A'.repeat(16) }))
        expect(bad).to.include(name === 'closed' ? withOne : NOT_VALID)
        const { rows } = await db.query('select username from users where username = any($1)', [
          [first.name, second.name, third.name],
        ])
        const made = (name === 'open' || name === 'approval' ? 1 : 0) + (withOne === 'in' ? 1 : 0)
        expect(rows).to.have.length(made)
      })
    }
  })

  it('the mode of the client wins over the one of the file, which null brings back, and a locked one stays', async () => {
    const file = (more: object) =>
      world.backing.settings({ rate_limit_enabled: false, channels: ['general', 'design'], ...more })
    const pageSays = (text: string) =>
      eventually(async () => {
        for (const { url } of world.api)
          expect(await (await somebody(url).fetch('/signup')).text()).to.include(text)
      })
    const [closed, form] = ['Accounts are made by the administrators here.', 'action="/signup"']
    file({ signup_mode: 'closed' })
    await pageSays(closed)
    await mode('open')
    await pageSays(form)
    expect(await outcomeOf(await signUp(stranger()))).to.equal('in')
    expect((await ada.patchJson('/admin/settings', { signup_mode: null })).status).to.equal(204)
    await pageSays(closed)
    expect(await outcomeOf(await signUp(stranger()))).to.include(closed)
    file({ signup_mode: 'open', locked_settings: ['signup_mode'] })
    await pageSays(form)
    expect(await refusal(await ada.patchJson('/admin/settings', { signup_mode: 'closed' }))).to.deep.equal([
      403,
      'forbidden',
    ])
    await pageSays(form)
    file({})
    await eventually(async () =>
      expect((await ada.patchJson('/admin/settings', { signup_mode: null })).status).to.equal(204),
    )
  })

  it('approval: a pending person cannot sign in, is told so after the right password only, and is counted as no failure', async () => {
    await mode('approval')
    const pat = stranger()
    expect(await outcomeOf(await signUp(pat))).to.include('Your account waits for approval.')
    expect(pat.cookie, 'no session').to.equal('')
    await mode(null)
    const logIn = (password: string) => pat.postForm('/login', { username: pat.name, password })
    const started = performance.now()
    expect(await (await logIn(PASSWORD)).text()).to.include('Your account waits for approval.')
    expect(performance.now() - started, 'no delay').to.be.below(2_500)
    const german = { 'Accept-Language': 'de' }
    const page = await pat.fetch('/login', {
      method: 'POST',
      headers: german,
      body: new URLSearchParams({ username: pat.name, password: PASSWORD }),
    })
    expect(await page.text()).to.include('wartet')
    expect(await (await logIn('Wrong-password-1!')).text()).to.include('Invalid username or password.')
    const welcomes = (await ada.messages('general')).filter(({ content }) => content?.includes(pat.name))
    expect(welcomes, 'no welcome yet').to.deep.equal([])
    await db.query(`update users set state = 'deactivated' where username = $1`, [pat.name])
    expect(await (await logIn(PASSWORD)).text()).to.include('This account is deactivated.')
    await db.query(`update users set state = 'active' where username = $1`, [pat.name])
    expect((await logIn(PASSWORD)).status).to.equal(302)
  })

  it('an invitation with max_uses 3 makes three accounts of ten at once', async () => {
    const { code, id } = await invite({ max_uses: 3 })
    const before = await userCount()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        signUp(somebody(world.api[i % 2]!.url), { invite: code }).then(outcomeOf),
      ),
    )
    expect(answers.filter(answer => answer === 'in')).to.have.length(3)
    for (const answer of answers.filter(one => one !== 'in')) expect(answer).to.include(NOT_VALID)
    expect(await userCount()).to.equal(before + 3)
    const { items } = await ada.get<{ items: Invite[] }>('/invites')
    expect(items.find(item => item.id === id)).to.include({ uses: 3, valid: false })
    const { items: valid } = await ada.get<{ items: Invite[] }>('/invites?state=valid')
    expect(valid.map(item => item.id)).to.not.include(id)
    const acts = (await audit()).map(({ action }) => action)
    expect(acts).to.deep.equal([
      'invite.created',
      ...Array.from({ length: 3 }, () => ['signup', 'invite.used']).flat(),
    ])
  })

  it('lists have an invitation for 90 days after its end, whatever ended it', async () => {
    const ends = {
      expired: 'update invites set expires_ts = $2 where id = $1',
      revoked: 'update invites set revoked_ts = $2 where id = $1',
      used: `with used as (insert into invite_uses (invite_id, username, used_ts) values ($1, 'ada', $2))
             update invites set uses = 1, max_uses = 1 where id = $1`,
    }
    const days = (count: number) => Date.now() / 1_000 - count * 86_400
    const listed = async () => (await ada.get<{ items: Invite[] }>('/invites')).items.map(({ id }) => id)
    for (const [how, sql] of Object.entries(ends)) {
      const { id } = await invite()
      await db.query(sql, [id, days(89)])
      expect(await listed(), `${how} 89 days ago`).to.include(id)
      await db.query('update invite_uses set used_ts = $2 where invite_id = $1', [id, days(91)])
      if (how !== 'used') await db.query(sql, [id, days(91)])
      expect(await listed(), `${how} 91 days ago`).to.not.include(id)
    }
    const { id } = await invite({ max_uses: 5 })
    await db.query('update invites set created_ts = $2, expires_ts = null where id = $1', [id, days(400)])
    expect(await listed(), 'old and valid').to.include(id)
  })

  it('an invitation that is expired or revoked, or whose maker is deactivated or lost the right, is not valid', async () => {
    await ada.patchJson('/admin/settings', { who_invites: 'members' })
    await eventually(async () => expect((await bob.get<MePayload>('/me')).may).to.include('invite'))
    const [expired, revoked, own, last] = [
      await invite(),
      await invite(),
      await invite({}, bob),
      await invite(),
    ]
    const isValid = async ({ code }: Invite) => {
      const page = await (await stranger().fetch(`/invite/${code}`)).text()
      const answer = await outcomeOf(await signUp(stranger(), { invite: code }))
      expect(answer === 'in').to.equal(page.includes('name="password"'))
      if (answer !== 'in') expect(answer).to.include(NOT_VALID)
      return answer === 'in'
    }
    const lately = Date.now() / 1_000 - 60
    await db.query('update invites set expires_ts = $2 where id = $1', [expired.id, lately])
    expect((await ada.fetch(`/invites/${revoked.id}`, { method: 'DELETE' })).status).to.equal(204)
    expect((await ada.fetch(`/invites/${revoked.id}`, { method: 'DELETE' })).status, 'again').to.equal(204)
    expect(await isValid(expired)).to.equal(false)
    expect(await isValid(revoked)).to.equal(false)
    expect(await isValid(own)).to.equal(true)
    expect((await ada.postJson('/admin/people/bob/deactivate', {})).status).to.equal(204)
    expect(await isValid(own)).to.equal(false)
    const { items } = await ada.get<{ items: (Invite & { ended: string | null })[] }>('/invites')
    const endOf = ({ id }: Invite) => items.find(item => item.id === id)!.ended
    expect([expired, revoked, own, last].map(endOf)).to.deep.equal(['expired', 'revoked', 'maker', null])
    expect((await ada.postJson('/admin/people/bob/reactivate', {})).status).to.equal(204)
    await bob.postForm('/login', { username: 'bob', password: PASSWORD })
    expect(await isValid(own)).to.equal(true)
    await ada.patchJson('/admin/settings', { who_invites: null })
    await eventually(async () => expect((await bob.get<MePayload>('/me')).may).to.not.include('invite'))
    expect(await isValid(own)).to.equal(false)
    expect(await isValid(last)).to.equal(true)
  })

  it('the QR code decodes to the link, with four modules of margin', async () => {
    const { id, url, code } = await invite()
    expect(url).to.equal(`${ada.at}/invite/${code}`)
    expect(code).to.match(/^[A-Za-z0-9]{16}$/)
    const response = await ada.fetch(`/invites/${id}/qr.svg`)
    expect(response.headers.get('Content-Type')).to.include('image/svg+xml')
    const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()), { density: 150 })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data).to.equal(url)
    const isDark = (x: number, y: number) => data[(y * info.width + x) * 4]! < 128
    const across = [...Array(info.width).keys()]
    const top = across.find(y => across.some(x => isDark(x, y)))!
    const left = across.find(x => across.some(y => isDark(x, y)))!
    // A finder pattern has seven modules.
    const wide = across.slice(left).findIndex(x => !isDark(x, top + 1))
    for (const margin of [top, left]) expect(margin / (wide / 7)).to.be.closeTo(4, 0.3)
  })

  it('a form whose token is stale keeps the invitation', async () => {
    const { code } = await invite({ role: 'guest', channels: ['design'] })
    const late = new Person('late', world.api[0]!.url)
    await late.fetch(`/invite/${code}`)
    const response = await late.postForm('/signup', {
      csrf_token: 'stale',
      invite: code,
      username: 'late',
      password: PASSWORD,
    })
    expect(response.status).to.equal(403)
    expect(await response.text()).to.include(`name="invite" value="${code}"`)
  })

  it('a link names who invites, opens sign-up with the channels of the invitation, and no earlier history of a private one', async () => {
    await ada.patchJson('/me', { display_name: 'Ada L.' })
    const { code } = await invite({ channels: [den, 'design'] })
    const eve = stranger()
    const page = await (await eve.fetch(`/invite/${code}`)).text()
    expect(page).to.include('Ada L. invites you to bothy.').and.include(`name="invite" value="${code}"`)
    expect(
      await (await eve.fetch(`/invite/${code}`, { headers: { 'Accept-Language': 'de' } })).text(),
    ).to.include('Ada L. lädt ein zu bothy.')
    expect(await outcomeOf(await signUp(eve, { invite: code }))).to.equal('in')
    const rows = await eve.messages(den)
    expect(rows.map(({ content }) => content)).to.deep.equal([`ada added ${eve.name} to the channel.`])
    expect((await eve.messages('general')).at(-1)!.content).to.include(`Welcome to bothy, ${eve.name}!`)
    expect(await audit()).to.deep.include({
      ...{ actor: eve.name, action: 'invite.used' },
      target: String(
        (await db.query('select invite_id from users where username = $1', [eve.name])).rows[0].invite_id,
      ),
    })
    await ada.patchJson('/me', { display_name: null })
  })

  it('the page of a link shows the picture of its maker, keeps who invites after an error, and offers free names', async () => {
    const { code } = await invite()
    const eve = stranger()
    const picture = `/invite/${code}/picture`
    expect(await (await eve.fetch(`/invite/${code}`)).text()).to.not.include(picture)
    expect((await eve.fetch(picture)).status).to.equal(404)
    const avatar = new FormData()
    const jpeg = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a30' } })
      .jpeg()
      .toBuffer()
    avatar.set('avatar', new File([new Uint8Array(jpeg)], 'me.jpg'))
    await ada.fetch('/avatar', { method: 'POST', body: avatar })
    expect(await (await eve.fetch(`/invite/${code}`)).text()).to.include(`src="${picture}"`)
    expect((await eve.fetch(picture)).headers.get('Content-Type')).to.equal('image/jpeg')
    const part = await eve.fetch(picture, { headers: { Range: 'bytes=0-1' } })
    expect([part.status, Buffer.from(await part.arrayBuffer()).toString('hex')]).to.deep.equal([206, 'ffd8'])
    expect((await eve.fetch(`/invite/${'A'.repeat(16)}/picture`)).status).to.equal(404)

    const weak = await (await signUp(eve, { invite: code, password: 'x' })).text()
    expect(weak).to.include('ada invites you to bothy.').and.include(`name="invite" value="${code}"`)
    await db.query(`insert into deleted_names (username_key, deleted_ts) values ('bob2', 0)`)
    const taken = await (await signUp(eve, { invite: code, username: 'BOB' })).text()
    expect(taken).to.include('That name is taken.').and.include('ada invites you to bothy.')
    expect([...taken.matchAll(/data-fill="username">([^<]+)</g)].map(([, name]) => name)).to.deep.equal([
      'BOB3',
      'BOB-2',
      'BOB-3',
    ])
    await ada.fetch('/avatar', { method: 'DELETE' })
  })

  it('a guest comes into the channels of the invitation alone, without a welcome, and has read what was there', async () => {
    await ada.send('design', 'older')
    const { code } = await invite({ role: 'guest', channels: ['design'] })
    const gus = stranger()
    expect(await outcomeOf(await signUp(gus, { invite: code }))).to.equal('in')
    expect(await roleOf(gus)).to.equal('guest')
    expect(await gus.get('/channels')).to.deep.equal(['design'])
    expect(await gus.get('/channel_unreads')).to.deep.equal({ design: 0 })
    expect((await gus.fetch('/messages/general')).status).to.equal(403)
    const welcomes = (await ada.messages('general')).filter(({ content }) => content?.includes(gus.name))
    expect(welcomes).to.deep.equal([])
  })

  it('a member who opens a link joins its channels, keeps the role, and counts once', async () => {
    const den2 = await world.privateChannel('den two', [ada])
    const { code, id } = await invite({ role: 'guest', channels: [den2], max_uses: 1 })
    const page = await (await bob.fetch(`/invite/${code}`)).text()
    expect(page).to.include('den two').and.not.include('name="password"')
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)![1]!
    expect((await bob.postForm(`/invite/${code}`)).status, 'without the token of the form').to.equal(403)
    const place = `/#/p/${den2.slice('private:'.length)}`
    for (let i = 0; i < 2; i++) {
      const response = await bob.postForm(`/invite/${code}`, { csrf_token })
      expect([response.status, response.headers.get('Location')]).to.deep.equal([302, place])
    }
    expect(await roleOf(bob)).to.equal('member')
    expect((await bob.messages(den2)).map(({ content }) => content)).to.deep.equal([
      'ada added bob to the channel.',
    ])
    expect((await db.query('select uses from invites where id = $1', [id])).rows).to.deep.equal([{ uses: 1 }])
    expect(await (await world.cleo.fetch(`/invite/${code}`)).text()).to.include(NOT_VALID)
    expect((await stranger().postForm(`/invite/${code}`)).status, 'without a session').to.equal(302)
  })

  it('a link that lets a member into a public channel concerns the sidebar of that person alone', async () => {
    const made = await ada.postJson('/public_channels', { name: 'Annex' })
    expect(made.status).to.equal(201)
    const { code } = await invite({ channels: ['annex'] })
    const page = await (await bob.fetch(`/invite/${code}`)).text()
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)![1]!
    const redis = new Redis(world.backing.env.REDIS_URL)
    try {
      const keys = keysWith(world.backing.env.REDIS_PREFIX)
      const from = await settledNoticeId(redis, keys)
      expect((await bob.postForm(`/invite/${code}`, { csrf_token })).status).to.equal(302)
      const notice = await eventually(async () => {
        const found = await redis.xrange(keys.notices(), `(${from}`, '+')
        const notices = found.map(([, [, text]]) => fromText(text!)!)
        return notices.find(({ concerns }) => concerns[0]!.channel === 'annex') ?? expect.fail('no notice')
      })
      const [ofChannel, ...others] = notice.concerns
      expect(ofChannel!.collections).to.include('channel_info').and.not.include('sidebar')
      expect(others.at(-1)).to.deep.equal({ collections: [...OF_OWN_CHANNELS], users: ['bob'] })
    } finally {
      redis.disconnect()
    }
    expect(await bob.get('/channels')).to.include('annex')
  })

  it('a person who was removed from a channel does not come back with a link used before', async () => {
    const { cleo } = world
    const den3 = await world.privateChannel('den three', [ada])
    const { code } = await invite({ channels: [den3, 'design'] })
    const open = async () => {
      const page = await (await cleo.fetch(`/invite/${code}`)).text()
      const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)![1]!
      expect((await cleo.postForm(`/invite/${code}`, { csrf_token })).status).to.equal(302)
    }
    await open()
    expect((await cleo.fetch(`/messages/${den3}`)).status).to.equal(200)
    await cleo.leave(den3)
    expect((await ada.postJson('/public_channels/design/remove', { username: 'cleo' })).status).to.equal(204)
    await open()
    expect((await cleo.fetch(`/messages/${den3}`)).status).to.equal(403)
    const { rows } = await db.query(
      `select joined from channel_memberships where username = 'cleo' and channel = 'design'`,
    )
    expect(rows).to.deep.equal([{ joined: false }])
  })

  it('a channel that the maker has left is skipped', async () => {
    const attic = await world.privateChannel('attic', [ada, bob])
    const { code } = await invite({ channels: [attic, 'design'] })
    await ada.leave(attic)
    const fay = stranger()
    expect(await outcomeOf(await signUp(fay, { invite: code }))).to.equal('in')
    expect((await fay.fetch(`/messages/${attic}`)).status).to.equal(403)
  })

  it('are made by those with the right, listed to their makers, and to administrators all', async () => {
    expect(await refusal(await bob.postJson('/invites', {}))).to.deep.equal([403, 'forbidden'])
    expect(await refusal(await bob.fetch('/invites'))).to.deep.equal([403, 'forbidden'])
    await db.query(`update users set role = 'admin' where username = 'bob'`)
    const mine = await invite({ note: ' for the band ', expires_in_hours: 0 }, bob)
    expect(mine).to.include({ note: 'for the band', expires_ts: null, created_by: 'bob', valid: true })
    const all = await ada.get<{ items: Invite[]; next: string | null }>('/invites?limit=2')
    expect(all.items[0]).to.deep.equal({
      ...mine,
      url: `${ada.at}/invite/${mine.code}`,
      ended: null,
    })
    const rest = await ada.get<{ items: Invite[] }>(`/invites?limit=2&cursor=${all.next}`)
    expect(rest.items[0]!.id).to.be.below(all.items[1]!.id)
    await db.query(`update users set role = 'member' where username = 'bob'`)
    await ada.patchJson('/admin/settings', { who_invites: 'members' })
    await eventually(async () => expect((await bob.fetch('/invites')).status).to.equal(200))
    const own = await bob.get<{ items: Invite[] }>('/invites')
    expect(new Set(own.items.map(({ created_by }) => created_by))).to.deep.equal(new Set(['bob']))
    expect(await refusal(await bob.postJson('/invites', { expires_in_hours: 0 }))).to.deep.equal([
      403,
      'forbidden',
    ])
    const foreign = all.items.find(({ created_by }) => created_by === 'ada') ?? (await invite())
    expect((await bob.fetch(`/invites/${foreign.id}`, { method: 'DELETE' })).status).to.equal(404)
    expect((await bob.fetch(`/invites/${foreign.id}/qr.svg`)).status).to.equal(404)
    await ada.patchJson('/admin/settings', { who_invites: null })
  })

  it('are made once for one client id, also by two requests at once', async () => {
    const body = { client_id: randomUUID(), note: 'once' }
    const [first, second] = await Promise.all([invite(body), invite(body)])
    expect(second).to.deep.equal(first)
    expect(await invite(body)).to.deep.equal(first)
    expect(await audit()).to.have.length(1)
  })

  it('refuse bad fields, and channels that the maker cannot read without naming them', async () => {
    const hidden = await bob.createPrivateChannel('secret', [])
    for (const [body, code] of [
      [{ role: 'admin' }, 'invalid'],
      [{ role: 7 }, 'required'],
      [{ role: 'guest' }, 'required'],
      [{ channels: 'general' }, 'required'],
      [{ channels: [hidden] }, 'invalid'],
      [{ channels: ['no-such'] }, 'invalid'],
      [{ channels: ['dm:ada:bob'] }, 'invalid'],
      [{ channels: Array.from({ length: 51 }, () => 'general') }, 'invalid'],
      [{ expires_in_hours: -1 }, 'invalid'],
      [{ expires_in_hours: 8_761 }, 'invalid'],
      [{ max_uses: 0 }, 'invalid'],
      [{ max_uses: 10_001 }, 'invalid'],
      [{ note: 'x'.repeat(201) }, 'too_long'],
      [{ client_id: 'x' }, 'invalid'],
    ] as const) {
      const response = await ada.postJson('/invites', body)
      const text = await response.clone().text()
      expect(await refusal(response), text).to.deep.equal([400, code])
      expect(text).to.not.include(hidden)
    }
    for (const query of ['state=old', 'limit=0', 'limit=201', 'cursor=x'])
      expect(await refusal(await ada.fetch(`/invites?${query}`)), query).to.deep.equal([400, 'invalid'])
    expect(await audit()).to.deep.equal([])
  })
})
