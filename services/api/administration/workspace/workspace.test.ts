import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type {
  RetentionPreview,
  SettingPayload,
  WorkspacePayload,
} from '#shared/domain/payloads/administration.ts'
import { boundsOf, takenBy, WEB_SETTINGS, type WebSetting } from '#shared/runtime/settings.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { valuesRefused } from '#shared/test-kit/setting-values.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the settings of the workspace (interface 17.2)', () => {
  let world: World
  let db: pg.Client
  /** The owner, by the order of sign-up; each uses another api process. */
  let ada: Person
  let bob: Person
  before(async () => {
    world = await newWorld({ apis: 2 })
    ;({ ada, bob } = world)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await world.end()
  })
  beforeEach(async () => {
    await db.query('delete from audit_log')
  })

  const change = (body: unknown, person = ada) => person.patchJson('/admin/settings', body)
  const workspaceOf = (person: Person) => person.get<WorkspacePayload>('/workspace')
  async function setting(key: string) {
    const { items } = await ada.get<{ items: SettingPayload[] }>('/admin/settings')
    const { value, source, locked } = items.find(item => item.key === key)!
    return { value, source, locked }
  }
  const audit = async () =>
    (await db.query('select actor, action, target, detail from audit_log order by id')).rows
  async function refusal(response: Response) {
    const { error, code } = (await response.json()) as { error: string; code: string }
    return { status: response.status, code, error }
  }

  it('are the defaults at first', async () => {
    const { version, limits, ...rest } = await workspaceOf(bob)
    expect(rest).to.deep.equal({
      name: 'bothy',
      logo: null,
      accent: null,
      signup_mode: 'open',
      read_receipts: true,
      keep_edits: false,
      emoji_rev: 0,
      commands_rev: 0,
    })
    expect(limits).to.include({ message_chars: 10_000, mention_guard: 10 })
    expect(version).to.match(/^\d/)
  })

  it('are changed in the client for every process within two seconds, win over the file, and go back with null', async () => {
    const settings = (values: object) =>
      world.backing.settings({ rate_limit_enabled: false, workspace_name: 'From the file', ...values })
    settings({})
    await eventually(async () => expect((await workspaceOf(bob)).name).to.equal('From the file'))
    await eventually(async () =>
      expect(await setting('workspace_name')).to.deep.equal({
        value: 'From the file',
        source: 'file',
        locked: false,
      }),
    )
    expect((await change({ workspace_name: 'Hill House', max_message_chars: 12 })).status).to.equal(204)
    expect((await workspaceOf(ada)).name, 'at once in this process').to.equal('Hill House')
    await eventually(async () => expect((await workspaceOf(bob)).name).to.equal('Hill House'), 2_000)
    expect((await bob.postForm('/send/general', { text: 'x'.repeat(13) })).status).to.equal(413)
    expect((await setting('workspace_name')).source).to.equal('web')
    settings({ accent: '#123456' })
    await eventually(async () => expect((await workspaceOf(bob)).accent).to.equal('#123456'))
    expect((await workspaceOf(bob)).name).to.equal('Hill House')

    expect(await audit(), 'an entry a setting').to.have.deep.members([
      {
        ...{ actor: 'ada', action: 'setting.changed', target: 'workspace_name' },
        detail: { old: 'From the file', new: 'Hill House' },
      },
      {
        ...{ actor: 'ada', action: 'setting.changed', target: 'max_message_chars' },
        detail: { old: 10_000, new: 12 },
      },
    ])
    expect((await change({ workspace_name: null, max_message_chars: null })).status).to.equal(204)
    await eventually(async () => expect((await workspaceOf(bob)).name).to.equal('From the file'))
    expect((await workspaceOf(bob)).limits.message_chars).to.equal(10_000)

    settings({ locked_settings: ['workspace_name'] })
    await eventually(async () =>
      expect(await setting('workspace_name')).to.deep.include({ locked: true, source: 'file' }),
    )
    expect(await refusal(await change({ workspace_name: 'Mine' }))).to.include({
      status: 403,
      code: 'forbidden',
    })
    settings({})
    await eventually(async () => expect((await setting('workspace_name')).locked).to.equal(false))
  })

  it('of the file alone are listed, and cannot be changed in the client', async () => {
    expect(await setting('channels')).to.deep.equal({ value: ['general'], source: 'default', locked: true })
    for (const body of [{ channels: ['x'] }, { confirm_minutes: 60 }, { locked_settings: [] }])
      expect(await refusal(await change(body))).to.include({ status: 403, code: 'forbidden' })
  })

  it('are changed all or none: an unknown name or a bad value is named, and nothing changes', async () => {
    for (const [body, key] of [
      [{ read_receipts: false, no_such: 1 }, 'no_such'],
      [{ read_receipts: false, signup_mode: 'ajar' }, 'signup_mode'],
      [{ read_receipts: false, workspace_name: '' }, 'workspace_name'],
      [{ read_receipts: false, workspace_name: 'x'.repeat(81) }, 'workspace_name'],
      [{ read_receipts: false, accent: 'teal' }, 'accent'],
      [{ read_receipts: false, max_upload_size_mb: 0 }, 'max_upload_size_mb'],
      [{ read_receipts: false, session_idle_minutes: 4.9 }, 'session_idle_minutes'],
      [{ read_receipts: false, session_idle_minutes: 1e13 }, 'session_idle_minutes'],
      [{ read_receipts: false, audit_retention_days: 1e-6 }, 'audit_retention_days'],
      [{ read_receipts: false, retention_days: 0.01 }, 'retention_days'],
      [{ read_receipts: false, retention_max_gb: 1e-6 }, 'retention_max_gb'],
      [{ read_receipts: false, lockout_duration_minutes: 1e13 }, 'lockout_duration_minutes'],
    ] as const) {
      const refused = await refusal(await change(body))
      expect(refused).to.include({ status: 400, code: 'invalid' })
      expect(refused.error).to.include(key)
    }
    expect((await workspaceOf(ada)).read_receipts).to.equal(true)
    expect(await audit()).to.deep.equal([])
  })

  it('take the same values as in the file, and no others: the refusal says which', async () => {
    for (const key of WEB_SETTINGS)
      for (const value of valuesRefused(key, true)) {
        const about = `${key}: ${JSON.stringify(value).slice(0, 60)}`
        const refused = await refusal(await change({ link_previews: false, [key]: value }))
        expect(refused, about).to.deep.include({ status: 400, code: 'invalid' })
        expect(refused.error, about).to.include(`${key} takes ${takenBy(key)}`)
      }
    const { items } = await ada.get<{ items: SettingPayload[] }>('/admin/settings')
    expect(items.filter(({ source }) => source === 'web').map(({ key }) => key)).to.deep.equal([])
    for (const { key, bounds } of items) expect(bounds, key).to.deep.equal(boundsOf(key as WebSetting))
    expect(await audit()).to.deep.equal([])
  })

  it('of an earlier release beyond the bounds count as those of the file', async () => {
    await db.query(
      `insert into workspace_settings (key, value, changed_by, changed_ts)
       values ('max_upload_size_mb', '1e12', 'ada', 0), ('max_request_size_mb', '1e12', 'ada', 0)`,
    )
    await change({ workspace_name: 'Looked at' })
    for (const [key, value] of [
      ['max_upload_size_mb', 25],
      ['max_request_size_mb', 16],
    ] as const)
      expect(await setting(key)).to.include({ value, source: 'default' })
    expect((await change({ max_upload_size_mb: 102_400 })).status).to.equal(204)
    expect((await setting('max_request_size_mb')).value).to.equal(102_400)
    await change({ max_upload_size_mb: null, max_request_size_mb: null, workspace_name: null })
  })

  it('belong to administrators: members get 403 on every path below /admin', async () => {
    for (const [method, path] of [
      ['GET', '/admin/settings'],
      ['PATCH', '/admin/settings'],
      ['POST', '/admin/logo'],
      ['DELETE', '/admin/logo'],
    ] as const) {
      const response = await bob.fetch(path, { method })
      expect(await refusal(response), path).to.include({ status: 403, code: 'forbidden' })
    }
    expect(await audit()).to.deep.equal([])
  })

  it('raise the largest request with the largest file, so that this number is true', async () => {
    await change({ max_upload_size_mb: 100 })
    expect((await setting('max_request_size_mb')).value).to.equal(101)
    await eventually(async () =>
      expect((await workspaceOf(bob)).limits.file_bytes).to.equal(100 * 1024 * 1024),
    )
    expect(await audit()).to.have.length(1)
    await change({ max_upload_size_mb: null, max_request_size_mb: null })
    expect((await setting('max_request_size_mb')).source).to.equal('default')
  })

  it('say what a shorter retention would delete, without names of private channels', async () => {
    const preview = (setting: string, value: number) =>
      ada.get<object>(`/admin/retention?setting=${setting}&value=${value}`)
    // Times of a channel follow the order of its messages.
    await db.query('update messages set ts = ts - 1000 * 86400')
    await db.query('update channels set trimmed_ord = message_count')
    for (const text of ['old', 'older']) await ada.send('general', text)
    await bob.send('dm:ada:bob', 'private and old')
    await ada.sendFiles('general', [{ name: 'a.txt', bytes: 'x'.repeat(4_000) }])
    await db.query('update messages set ts = ts - 100 * 86400 where ts > extract(epoch from now()) - 86400')
    await bob.sendFiles('general', [{ name: 'b.txt', bytes: 'x'.repeat(4_000) }])
    const file = { files: 1, bytes: 4_000 }
    const none = { files: 0, bytes: 0 }
    const channels = [
      { channel: 'general', messages: 3, ...file },
      { channel: null, messages: 1, ...none },
    ]
    expect(await preview('retention_days', 30)).to.deep.equal({ messages: 4, ...file, entries: 0, channels })
    const nothing = { messages: 0, ...none, entries: 0, channels: [] }
    expect(await preview('retention_days', 365)).to.deep.equal(nothing)
    expect(await preview('retention_max_gb', 1)).to.deep.equal(nothing)
    await db.query(`update files set bytes = 3 * 1024 ^ 3`)
    expect(await preview('retention_max_gb', 4)).to.deep.equal({
      ...{ messages: 1, files: 1, bytes: 3 * 1024 ** 3, entries: 0 },
      channels: [{ channel: 'general', messages: 1, files: 1, bytes: 3 * 1024 ** 3 }],
    })
    await db.query(
      `insert into audit_log (actor, actor_kind, action, ts, detail)
       values ('ada', 'person', 'signup', extract(epoch from now()) - 400 * 86400, '{}')`,
    )
    expect(await preview('audit_retention_days', 365)).to.deep.equal({ ...nothing, entries: 1 })
    for (const query of [
      'setting=channels&value=3',
      'setting=retention_days&value=-1',
      'setting=retention_days',
    ])
      expect((await refusal(await ada.fetch(`/admin/retention?${query}`))).status, query).to.equal(400)
    expect((await bob.fetch('/admin/retention?setting=retention_days&value=30')).status).to.equal(403)
  })

  it('count like a scan, whatever was deleted, removed or trimmed', async () => {
    const made = await ada.postJson('/public_channels', { name: 'long' })
    expect(made.status).to.equal(201)
    await db.query(
      `with clock as (
         update channels set message_count = message_count + 7000 where id = 'long' returning message_count
       )
       insert into messages (channel, ord, sender, content, ts)
       select 'long', message_count - 7000 + place, 'ada', 'text', 1000000 + place * 60
         from clock cross join generate_series(1, 7000) as place`,
    )
    await db.query(`update messages set ts = 999999 where channel = 'long' and content_type = 'system'`)
    await db.query(`update messages set deleted = 1 where channel = 'long' and ord % 13 = 5`)
    await db.query(`delete from messages where channel = 'long' and ord % 7 = 3`)
    for (const trimmed of [0, 1, 2_047, 2_048, 2_049, 4_500]) {
      await db.query(`delete from messages where channel = 'long' and ord <= ${trimmed}`)
      await db.query(`update channels set trimmed_ord = ${trimmed} where id = 'long'`)
      for (const ord of [1, 2_047, 2_048, 2_049, 4_096, 4_097, 4_600, 7_000]) {
        const before = 1_000_000 + ord * 60 + 30
        const { channels } = await ada.get<RetentionPreview>(
          `/admin/retention?setting=retention_days&value=${((Date.now() / 1_000 - before) / 86_400).toFixed(5)}`,
        )
        const { rows } = await db.query(
          `select count(*)::integer as count from messages where channel = 'long' and deleted = 0 and ts < $1`,
          [before],
        )
        const found = channels.find(({ channel }) => channel === 'long')?.messages ?? 0
        expect(found, `${trimmed} trimmed, before ${ord}`).to.equal(rows[0].count)
      }
    }
  })

  it('say when counting takes too long', async () => {
    await db.query('begin')
    try {
      await db.query('lock table messages in access exclusive mode')
      const response = await ada.fetch('/admin/retention?setting=retention_days&value=30')
      expect(response.status).to.equal(503)
      expect(await response.json()).to.include({ code: 'unavailable' })
    } finally {
      await db.query('rollback')
    }
    expect((await ada.fetch('/admin/retention?setting=retention_days&value=30')).status).to.equal(200)
  })

  it('hide what people have read, while counting goes on', async () => {
    const id = await ada.send('general', 'who reads this?')
    await bob.markRead('general')
    expect(await ada.get('/read_receipts/general')).to.have.property('bob')
    await change({ read_receipts: false })
    await eventually(async () => expect(await bob.get('/read_receipts/general')).to.deep.equal({}))
    expect(await ada.get(`/seen/${id}`)).to.include({ count: 0 })
    expect(await bob.get('/read_receipts/general?most=50'), 'the own watermark').to.have.all.keys('bob')
    expect((await bob.get<Record<string, number>>('/channel_unreads'))['general']).to.equal(0)
    await change({ read_receipts: null })
    await eventually(async () => expect(await bob.get('/read_receipts/general')).to.have.property('bob'))
  })

  it('include a logo, which is stored as WebP, shown without a session, and replaced', async () => {
    const logo = async (bytes: Buffer, name = 'logo.png') => {
      const body = new FormData()
      body.set('logo', new File([new Uint8Array(bytes)], name))
      return ada.fetch('/admin/logo', { method: 'POST', body })
    }
    const png = (width: number) =>
      sharp({ create: { width, height: 300, channels: 3, background: '#0a8' } })
        .png()
        .toBuffer()
    expect((await fetch(`${ada.at}/workspace_logo`, { redirect: 'manual' })).status).to.equal(404)
    expect((await logo(await png(600))).status).to.equal(204)
    const { logo: address } = await workspaceOf(ada)
    const shown = await fetch(ada.at + address)
    expect(shown.headers.get('Content-Type')).to.equal('image/webp')
    expect(shown.headers.get('Cache-Control')).to.include('immutable')
    expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).to.include({
      format: 'webp',
      width: 256,
      height: 128,
    })
    const part = await fetch(ada.at + address, { headers: { Range: 'bytes=0-3' } })
    expect([part.status, await part.text()]).to.deep.equal([206, 'RIFF'])
    for (const bad of [Buffer.from('no image'), (await png(20)).subarray(0, 60)])
      expect(await refusal(await logo(bad))).to.include({ status: 400, code: 'invalid' })
    expect((await logo(await png(100))).status).to.equal(204)
    expect((await workspaceOf(ada)).logo).to.not.equal(address)
    expect(await audit()).to.have.length(2)
    expect((await ada.fetch('/admin/logo', { method: 'DELETE' })).status).to.equal(204)
    expect((await ada.fetch('/admin/logo', { method: 'DELETE' })).status, 'also without one').to.equal(204)
    expect(await audit()).to.have.length(3)
    expect((await workspaceOf(ada)).logo).to.equal(null)
  })

  it('give the signed-out pages their name, logo and colour', async () => {
    const page = async (path = '/login') => (await fetch(ada.at + path)).text()
    expect(await page()).to.not.include('workspace_')
    await change({ workspace_name: 'Hill <b>House', accent: '#7B2D8B' })
    await eventually(async () => {
      const shown = await page()
      expect(shown).to.include('<title>Sign in · Hill &lt;b&gt;House</title>')
      expect(shown).to.include('href="/workspace_accent.css?v=7b2d8b"')
    })
    expect(await (await ada.fetch('/')).text()).to.include('/workspace_accent.css?v=7b2d8b')
    const sheet = await fetch(`${ada.at}/workspace_accent.css?v=7b2d8b`)
    expect(sheet.headers.get('Content-Type')).to.include('text/css')
    expect(await sheet.text()).to.include('--c-accent:#')
    for (const bad of ['', '?v=red', '?v=7b2d8b%7D', '?v=7b2d8b&v=7b2d8b'])
      expect((await fetch(`${ada.at}/workspace_accent.css${bad}`)).status, bad).to.equal(404)
    await change({ workspace_name: null, accent: null })
  })

  it('are changed only in a session in which the password was given lately', async () => {
    const settings = (confirm_minutes: number) =>
      world.backing.settings({ rate_limit_enabled: false, confirm_minutes })
    settings(0.05)
    await eventually(async () =>
      expect(await refusal(await change({ accent: '#000000' }))).to.include({
        status: 403,
        code: 'confirm_required',
      }),
    )
    const started = performance.now()
    expect(await refusal(await ada.postJson('/confirm', { password: 'wrong' }))).to.include({
      status: 403,
      code: 'confirm_required',
    })
    expect(performance.now() - started, 'the delay of a failed log-in').to.be.at.least(2_900)
    expect((await db.query(`select failed_attempts from users where username = 'ada'`)).rows).to.deep.equal([
      { failed_attempts: 1 },
    ])
    expect(await refusal(await ada.postJson('/confirm', {}))).to.include({ status: 400, code: 'required' })

    expect((await ada.postJson('/confirm', { password: PASSWORD })).status).to.equal(204)
    const { confirmed_until } = await ada.get<{ confirmed_until: number }>('/session')
    expect(confirmed_until).to.be.closeTo(Date.now() / 1_000 + 3, 2)
    expect((await change({ accent: '#000000' })).status).to.equal(204)
    await eventually(async () => expect((await change({ accent: null })).status).to.equal(403))
    expect(Date.now() / 1_000, 'three seconds later').to.be.at.least(confirmed_until - 0.5)
    settings(15)
    await eventually(async () => expect((await change({ accent: null })).status).to.equal(204))
  })
})
