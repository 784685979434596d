import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { DmPayload } from '#shared/domain/payloads/channels.ts'
import type { DraftPayload, SavedPayload, ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { GroupPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import { collectionsIn, fromText } from '#shared/notices/notice.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { settledNoticeId } from '#shared/test-kit/settled-notices.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('renaming an account (interface 17.3)', () => {
  let world: World
  let janitor: RunningService | undefined
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2 })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await janitor?.stop()
    await db.end()
    await world.end()
  })

  const rename = (name: string, username: unknown) =>
    world.ada.postJson(`/admin/people/${name}/rename`, { username })
  const codeOf = async (response: Response) =>
    [response.status, ((await response.json()) as { code: string }).code] as const
  const logIn = async (name: string) => {
    const person = new Person(name, world.api[1]!.url)
    const response = await person.postForm('/login', { username: name, password: PASSWORD })
    return { person, response }
  }
  const signUpPage = async (name: string) => {
    const response = await new Person(name, world.api[0]!.url).postForm('/signup', {
      username: name,
      password: PASSWORD,
      confirm_password: PASSWORD,
    })
    return response.text()
  }

  /** Columns of all tables in which a word stands. */
  async function columnsWith(word: string): Promise<string[]> {
    const { rows } = await db.query<{ table: string; column: string }>(
      `select c.table_name as table, c.column_name as column
         from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
          and c.data_type in ('text', 'json', 'jsonb', 'ARRAY')`,
    )
    const found: string[] = []
    for (const { table, column } of rows) {
      const { rowCount } = await db.query(
        `select from "${table}" where "${column}"::text ~ ('\\m' || $1 || '\\M') limit 1`,
        [word],
      )
      if (rowCount === 1) found.push(`${table}.${column}`)
    }
    return found.sort()
  }

  it('refuses names that are taken or were', async () => {
    await new Person('gone', world.api[0]!.url)
      .signUp()
      .then(person => person.postJson('/delete_account', { type: 'soft', password: PASSWORD }))
    for (const name of ['cleo', 'CLEO', 'bob', 'gone'])
      expect(await codeOf(await rename('bob', name)), name).to.deep.equal([409, 'conflict'])
    for (const name of ['', 'a b', 'system', 'x'.repeat(33), '\0'])
      expect(await codeOf(await rename('bob', name))).to.deep.equal([400, 'invalid'])
    for (const name of [undefined, null, 7, []])
      expect(await codeOf(await rename('bob', name))).to.deep.equal([400, 'required'])
    expect(await codeOf(await rename('nobody-here', 'fresh'))).to.deep.equal([404, 'not_found'])
    expect(
      await codeOf(await world.cleo.postJson('/admin/people/bob/rename', { username: 'x' })),
    ).to.deep.equal([403, 'forbidden'])
  })

  it('keeps history, DMs, mentions, reactions and receipts under the new name', async () => {
    const { ada, bob, cleo } = world
    const den = await world.privateChannel('den', [bob, ada])
    const said = await bob.send('general', 'my words')
    const deleted = await bob.send('general', 'my error')
    await bob.delete(deleted)
    const mention = await ada.send('general', 'hello @bob and @cleo')
    await bob.react(mention, 'tada')
    await ada.react(said, 'heart')
    expect((await cleo.postJson(`/forward/${said}`, { channel: 'general' })).status).to.equal(201)
    const first = await ada.send('dm:ada:bob', 'between us')
    await bob.send('dm:ada:bob', 'yes, @ada', { reply_to_id: String(first) })
    await bob.send('dm:ada:bob:cleo', 'all three')
    await ada.send('dm:ada:bob', 'unread @bob')
    await bob.send(den, 'in private')
    await bob.mute('dm:ada:bob', { muted_for_minutes: -1 })
    await cleo.markRead('dm:ada:bob:cleo')
    const removed = await cleo.send('general', 'to be removed')
    await bob.prefer({ share_read: true })
    const begun = await ada.postJson('/calls/initiate', { channel: 'dm:ada:bob' })
    await bob.postForm(`/calls/${((await begun.json()) as { call_id: string }).call_id}/reject`)
    await ada.patchJson('/admin/people/bob', { role: 'admin' })
    await bob.postJson(`/moderate/delete/${removed}`, {})
    await bob.fetch(`/pin/${mention}`, { method: 'PUT' })
    await bob.fetch(`/saved/${mention}`, { method: 'PUT' })
    const inAnHour = { channel: 'dm:ada:bob', text: 'much later', send_ts: Date.now() / 1_000 + 3_600 }
    expect((await bob.postJson('/scheduled', inAnHour)).status).to.equal(201)
    await bob.fetch('/drafts/dm:ada:bob', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"unsent","updated_ts":1}',
    })
    await bob.postJson('/groups', { handle: 'builders', name: 'Builders', members: ['bob', 'cleo'] })
    await ada.patchJson('/admin/people/bob', { role: 'member' })
    const before = {
      unread: (await bob.get<DmPayload[]>('/dms')).map(({ unread }) => unread),
      mentions: (await bob.get<unknown[]>('/mentions')).length,
      rows: (await ada.messages('dm:ada:bob')).length,
    }
    const { rev } = await ada.get<PeoplePayload>('/people')

    const accepted = await rename('BOB', 'Robert')
    expect(accepted.status).to.equal(202)
    expect(((await accepted.json()) as { job: string }).job).to.match(/^[0-9a-f-]{36}$/)
    expect((await bob.fetch('/channels')).status).to.equal(302)
    expect(await (await logIn('bob')).response.text()).to.include('This account is being renamed.')
    expect(await signUpPage('robert'), 'the new name is reserved').to.include('taken')
    const group = { handle: 'robert', name: 'x', members: [] }
    expect(await codeOf(await ada.postJson('/groups', group))).to.deep.equal([409, 'conflict'])
    expect(await codeOf(await rename('bob', 'other'))).to.deep.equal([409, 'conflict'])
    const redis = new Redis(world.backing.env.REDIS_URL)
    const keys = keysWith(world.backing.env.REDIS_PREFIX)
    const from = await settledNoticeId(redis, keys)
    janitor = await startService('janitor', world.backing.env)
    const robert = await eventually(async () => {
      const { person, response } = await logIn('Robert')
      expect(response.status).to.equal(302)
      return person
    })

    const told = await eventually(async () => {
      const found = await redis.xrange(keys.notices(), `(${from}`, '+')
      const notices = found.map(([, [, text]]) => fromText(text!)!)
      const named = notices.filter(notice => collectionsIn(notice).includes('sidebar'))
      expect(named).to.have.length(1)
      return named[0]!
    })
    redis.disconnect()
    expect(told.concerns[0]!.users, 'the people of the DMs').to.have.members(['Robert', 'ada', 'cleo'])
    expect(await columnsWith('bob')).to.deep.equal([
      'audit_log.actor',
      'audit_log.detail',
      'audit_log.target',
      'channels.id',
      'deleted_names.username_key',
      'former_names.username_key',
      'message_texts.content',
      'messages.content',
    ])
    const rows = await ada.messages('general')
    const row = (id: number) => rows.find(message => message.id === id)!
    expect(row(said)).to.include({ sender: 'Robert', reactions: '{ "heart" : ["ada"] }' })
    expect(row(deleted)).to.include({ sender: 'Robert', deleted: 1 })
    expect(row(mention).mentions).to.equal('["Robert","cleo"]')
    expect(row(mention).reactions).to.include('Robert')
    const tombstones = await ada.get<MessagePayload[]>('/messages/general?after=0&extra=1')
    expect(tombstones.find(({ id }) => id === removed)?.extra).to.deep.equal({ removed_by: 'Robert' })
    expect(tombstones.find(({ id }) => id === mention)?.extra?.pinned?.by).to.equal('Robert')
    expect(tombstones.find(({ extra }) => extra?.forward)?.extra?.forward?.sender).to.equal('Robert')
    expect(await ada.get('/read_receipts/general')).to.include.keys('Robert')
    expect((await ada.get<GroupPayload[]>('/groups'))[0]?.members).to.deep.equal(['cleo', 'Robert'])
    expect((await robert.get<DmPayload[]>('/dms')).map(({ channel }) => channel)).to.have.members([
      'dm:Robert:ada',
      'dm:Robert:ada:cleo',
    ])
    expect((await robert.get<DmPayload[]>('/dms')).map(({ unread }) => unread)).to.deep.equal(before.unread)
    expect(await robert.get<unknown[]>('/mentions')).to.have.length(before.mentions)
    for (const id of ['dm:ada:bob', 'dm:Robert:ada', 'dm:BOB:ADA'])
      expect(
        (await ada.messages(id)).map(({ channel }) => channel),
        id,
      ).to.deep.equal(Array(before.rows).fill('dm:Robert:ada'))
    expect(await robert.get<DraftPayload[]>('/drafts')).to.deep.equal([
      { channel: 'dm:Robert:ada', thread_id: 0, text: 'unsent', updated_ts: 1 },
    ])
    const waiting = await robert.get<Page<ScheduledPayload>>('/scheduled')
    expect(waiting.items.map(({ channel }) => channel)).to.deep.equal(['dm:Robert:ada'])
    expect((await robert.get<Page<SavedPayload>>('/saved')).items).to.have.length(1)
    const later = await ada.send('dm:ada:bob', 'still here, @Robert')
    expect((await robert.messages('dm:Robert:ada')).at(-1)?.id).to.equal(later)
    expect((await robert.messages(den)).map(({ sender }) => sender)).to.include('Robert')
    const { channels } = await robert.get<SidebarPayload>('/sidebar')
    expect(channels.find(({ muted_until }) => muted_until === 'forever')?.channel).to.equal('dm:Robert:ada')
    for (const name of ['Robert', 'bob', 'BOB']) {
      const { items } = await ada.get<{ items: { sender: string }[] }>(`/search?q=from:${name}`)
      expect(items.length, name).to.be.greaterThan(2)
      expect(new Set(items.map(({ sender }) => sender)), name).to.deep.equal(new Set(['Robert']))
      expect((await ada.get<{ username: string }>(`/profile/${name}`)).username).to.equal('Robert')
    }
    const changed = await ada.get<PeoplePayload>(`/people?since=${rev}`)
    expect(changed.people.map(({ username }) => username)).to.deep.equal(['Robert'])
    expect(changed.gone).to.deep.equal(['bob'])
    expect(await ada.get('/users'))
      .to.include('Robert')
      .and.not.include('bob')
  })

  it('never gives the old name to anybody else, and lets it go on leading to the account', async () => {
    expect(await signUpPage('bob')).to.include('taken')
    expect(await (await logIn('bob')).response.text()).to.include('Invalid username or password.')
    expect(await codeOf(await rename('cleo', 'Bob'))).to.deep.equal([409, 'conflict'])
    const den = await world.privateChannel('attic', [world.ada])
    expect((await world.ada.addMember(den, 'bob')).status).to.equal(204)
    expect((await world.ada.addMember(den, 'Robert')).status).to.equal(409)
    expect((await rename('bob', 'Bobby')).status, 'a second time, by the first name').to.equal(202)
    await eventually(async () =>
      expect((await world.ada.get<{ username: string }>('/profile/bob')).username).to.equal('Bobby'),
    )
    expect((await world.ada.messages('dm:ada:bob')).at(-1)?.channel).to.equal('dm:Bobby:ada')
    expect((await world.ada.messages('dm:ada:robert')).at(-1)?.channel).to.equal('dm:Bobby:ada')
  })

  it('can change the case of letters', async () => {
    expect((await rename('cleo', 'Cleo')).status).to.equal(202)
    const cleo = await eventually(async () => {
      const { person, response } = await logIn('cleo')
      expect(response.status).to.equal(302)
      return person
    })
    expect((await cleo.get<{ username: string }>('/me')).username).to.equal('Cleo')
    const { length } = await world.ada.messages('dm:ada:bob:Cleo')
    expect(length).to.be.greaterThan(0)
    expect((await rename('Cleo', 'cleo')).status, 'back').to.equal(202)
    await eventually(async () =>
      expect((await world.ada.get<{ username: string }>('/profile/cleo')).username).to.equal('cleo'),
    )
    expect(await world.ada.messages('dm:ada:bob:cleo')).to.have.length(length)
    await world.ada.send('dm:ada:bob:cleo', 'still writable')
  })

  it('reaches open tabs with the maker of the emoji', async () => {
    const { ada } = world
    await new Person('mila', world.api[0]!.url).signUp()
    const guest = await new Person('gus', world.api[0]!.url).signUp()
    const toGuest = await ada.patchJson('/admin/people/gus', { role: 'guest', channels: ['general'] })
    expect(toGuest.status).to.equal(204)
    const ofGuest = await guest.get('/workspace')
    await db.query(
      `insert into custom_emoji (name, file, animated, created_by, created_ts)
       values ('our_parrot', 'emoji-0123456789abcdef', false, 'mila', 0)`,
    )
    const gateway = await startService('events', world.backing.env)
    try {
      const tab = await openTab(gateway.url, ada.cookie, { deltas: ['workspace'] })
      await tab.waitFor(({ last }) => last.workspace !== undefined)
      const before = tab.last.workspace!.emoji_rev
      expect((await rename('mila', 'milena')).status).to.equal(202)
      await tab.waitFor(({ last }) => last.workspace!.emoji_rev > before, 30_000)
      const [emoji] = await ada.get<{ created_by: string }[]>('/emoji')
      expect(emoji!.created_by).to.equal('milena')
      expect(await guest.get('/workspace'), 'which guests cannot count').to.deep.equal(ofGuest)
      tab.close()
    } finally {
      await gateway.stop()
    }
  })

  it('holds no send or reaction of others for long, also with 20,000 messages', async () => {
    const { ada, mallory } = world
    await db.query(
      `with clock as (
         update channels set message_count = message_count + 20000 where id = 'general' returning message_count
       ), written as (
         insert into messages (channel, ord, sender, content, mentions, ts)
         select 'general', message_count - 20000 + place, case place % 10 when 0 then 'ada' else 'cleo' end,
                'text ' || place, case place % 10 when 0 then '["cleo"]' end, 1000000 + place
           from clock cross join generate_series(1, 20000) as place
         returning id, channel, ts, mentions
       )
       insert into message_mentions (channel, username, ts, message_id)
       select channel, 'cleo', ts, id from written where mentions is not null`,
    )
    const { rows } = await db.query<{ id: number }>(
      `select id::integer from messages where sender = 'cleo' and content like 'text %' order by ts desc limit 5000`,
    )
    const waits: number[] = []
    let isDone = false
    const repeat = async (work: (turn: number) => Promise<unknown>) => {
      for (let turn = 0; !isDone; turn++) {
        const began = performance.now()
        await work(turn)
        waits.push(performance.now() - began)
      }
    }
    expect((await rename('cleo', 'Cleopatra')).status).to.equal(202)
    const busy = [
      repeat(turn => ada.send('general', `meanwhile ${turn}`)),
      repeat(async turn =>
        expect((await mallory.react(rows[turn % rows.length]!.id, 'tada')).status).to.equal(200),
      ),
      repeat(async turn =>
        expect((await ada.react(rows[turn % rows.length]!.id, 'heart')).status).to.equal(200),
      ),
    ]
    const deletion = await ada.postJson('/admin/people/cleo/delete', { type: 'hard' })
    expect(await codeOf(deletion), 'not meanwhile').to.deep.equal([409, 'conflict'])
    try {
      await eventually(
        async () =>
          expect((await ada.get<{ username: string }>('/profile/cleo')).username).to.equal('Cleopatra'),
        90_000,
      )
    } finally {
      isDone = true
    }
    await Promise.all(busy)
    const left = await db.query(
      `select from messages where sender = 'cleo' or mentions like '%"cleo"%' union all
       select from message_mentions where username = 'cleo'`,
    )
    expect(left.rowCount).to.equal(0)
    expect(waits.length).to.be.greaterThan(100)
    expect(Math.max(...waits), 'milliseconds').to.be.lessThan(1_000)
  }).timeout(300_000)
})
