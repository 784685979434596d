import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import sharp from 'sharp'
import { dmId } from '#shared/domain/channel-id.ts'
import { EXTRA_EVENTS } from '#shared/domain/deltas.ts'
import type { DmPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import { EVENT_NAMES } from '#shared/domain/payloads/events.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Concern } from '#shared/notices/notice.ts'
import { newestNoticeId, readNotices } from '#shared/notices/notice-log.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('deleting an account (interface 4.1)', () => {
  let world: World
  let events: RunningService
  let janitor: RunningService
  let db: pg.Pool
  let redis: Redis
  let ada: Person
  let bob: Person
  /** The account to delete. */
  let kim: Person
  before(async () => {
    world = await newWorld({ apis: 2 })
    ;({ ada, bob } = world)
    events = await startService('events', world.backing.env)
    janitor = await startService('janitor', world.backing.env)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
    redis = new Redis(world.backing.env.REDIS_URL)
  })
  after(async () => {
    redis?.disconnect()
    await db?.end()
    await events?.stop()
    await janitor?.stop()
    await world?.end()
  })
  beforeEach(async () => {
    kim = await newcomer()
  })

  const at = (i: number) => world.api[i % 2]!.url
  const newcomer = (i = 0) => somebody(at(i)).signUp()
  const remove = (person: Person, type: unknown = 'soft', password: unknown = PASSWORD) =>
    person.postJson('/delete_account', { type, password })
  const isIn = async (person: Person) => (await person.fetch('/channels')).status === 200
  const dmOf = (...people: Person[]) => dmId(people.map(person => person.name))

  async function deleted(person: Person, type: 'soft' | 'hard') {
    const response = await remove(person, type)
    expect([response.status, await response.json()]).to.deep.equal([200, { status: 'ok' }])
    return response
  }

  /** Waits until the janitor has rewritten all rows; it repeats this after 30 seconds, for late writes. */
  const rewritten = () =>
    eventually(async () => {
      const { rowCount } = await db.query('select from account_deletions where due_ts <> deleted_ts + 30')
      expect(rowCount).to.equal(0)
    })

  /** Makes the janitor's second pass due now, and waits for it. */
  async function forgotten() {
    await rewritten()
    await db.query('update account_deletions set deleted_ts = deleted_ts - 60, due_ts = 0')
    await eventually(async () =>
      expect((await db.query('select from account_deletions')).rowCount).to.equal(0),
    )
  }

  /** Columns that still contain the exact name, as table.column. */
  async function tracesOf(name: string) {
    const { rows } = await db.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name
         from information_schema.columns
        where table_schema = 'public' and data_type = 'text'
        order by table_name, column_name`,
    )
    const found: string[] = []
    for (const { table_name, column_name } of rows) {
      const { rowCount } = await db.query(`select from ${table_name} where ${column_name} = $1`, [name])
      if (rowCount) found.push(`${table_name}.${column_name}`)
    }
    return found
  }

  const image = () =>
    sharp({ create: { width: 4, height: 4, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
  const filesKept = () => readdirSync(fileURLToPath(world.backing.env.FILES_URL))
  const idsOf = (rows: MessagePayload[]) => rows.map(row => row.id)
  const newest = async (person: Person, channel: string) => {
    const rows = await person.messages(channel)
    return Math.max(
      ...rows.map(row => Math.max(row.ts, row.edited_ts ?? 0, row.deleted_ts ?? 0, row.reactions_ts ?? 0)),
    )
  }

  describe('is refused', () => {
    it('with a wrong password, and changes nothing', async () => {
      for (const password of ['no', '', undefined, null, 7, [PASSWORD], { $ne: '' }]) {
        const response = await remove(kim, 'hard', password ?? null)
        expect([response.status, await response.json()], JSON.stringify(password)).to.deep.equal([
          403,
          { error: 'Current password is incorrect' },
        ])
      }
      expect(await isIn(kim)).to.equal(true)
    })

    it('with a type other than soft and hard, or without JSON', async () => {
      for (const type of ['', 'SOFT', 'both', undefined, null, 1, ['soft'], '__proto__']) {
        const response = await remove(kim, type ?? null)
        expect([response.status, await response.json()], JSON.stringify(type)).to.deep.equal([
          400,
          { error: 'type must be soft or hard' },
        ])
      }
      for (const body of ['', '{', '[]', 'null', '7', '"soft"']) {
        const response = await kim.postJson('/delete_account', body)
        expect(response.status, body).to.equal(400)
        expect(await response.json()).to.have.property('error')
      }
      expect((await kim.postForm('/delete_account', { type: 'soft', password: PASSWORD })).status).to.equal(
        400,
      )
      expect(await isIn(kim)).to.equal(true)
    })

    it('without a session', async () => {
      const response = await remove(new Person('tab', at(0)))
      expect([response.status, response.headers.get('Location')]).to.deep.equal([302, '/login'])
    })

    it('from another site', async () => {
      const response = await kim.fetch('/delete_account', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' },
        body: JSON.stringify({ type: 'soft', password: PASSWORD }),
      })
      expect(response.status).to.equal(403)
      expect(await isIn(kim)).to.equal(true)
    })
  })

  for (const type of ['soft', 'hard'] as const) {
    describe(`${type}:`, () => {
      it('ends the credentials, every session and stream, and clears the cookie', async () => {
        const phone = new Person(kim.name, at(1))
        await phone.postForm('/login', { username: kim.name, password: PASSWORD })
        const tabs = await Promise.all([kim, phone].map(person => openTab(events.url, person.cookie)))
        const cookie = kim.cookie
        const response = await deleted(kim, type)
        const began = performance.now()
        expect(response.headers.getSetCookie().join()).to.match(/session=;.*Expires=Thu, 01 Jan 1970/)
        kim.cookie = cookie
        expect([await isIn(kim), await isIn(phone)]).to.deep.equal([false, false])
        await Promise.all(tabs.map(tab => tab.ended))
        expect(performance.now() - began).to.be.below(1_000)
        const page = await new Person('tab', at(0)).postForm('/login', {
          username: kim.name,
          password: PASSWORD,
        })
        expect([page.status, (await page.text()).includes('Invalid username or password.')]).to.deep.equal([
          200,
          true,
        ])
      })

      it('keeps the name taken, in any case', async () => {
        await deleted(kim, type)
        for (const name of [kim.name, kim.name.toUpperCase()]) {
          const response = await new Person(name, at(1)).postForm('/signup', {
            username: name,
            password: PASSWORD,
            confirm_password: PASSWORD,
          })
          expect(response.status).to.equal(200)
          expect(await response.text()).to.include('That name is taken.')
        }
        expect(await ada.get('/users')).to.not.include(kim.name)
      })

      it('removes the name from settings, avatar, profile, presence and lists', async () => {
        await kim.postForm('/settings', { name_color: '#123456' })
        const body = new FormData()
        body.set('avatar', new File([new Uint8Array(await image())], 'me.png'))
        await kim.fetch('/avatar', { method: 'POST', body })
        await kim.postJson('/presence', { state: 'active', tab: 'one' })
        await kim.postForm('/typing/general')
        const { avatar_file } = await kim.get<{ avatar_file: string }>('/settings')
        expect(filesKept()).to.include(avatar_file)

        await deleted(kim, type)
        expect(filesKept()).to.not.include(avatar_file)
        expect(await ada.get('/user_colors')).to.deep.equal({})
        expect(await ada.get('/user_avatars')).to.deep.equal([])
        expect((await ada.fetch(`/avatar/${kim.name}`)).status).to.equal(404)
        expect((await ada.fetch(`/profile/${kim.name}`)).status).to.equal(404)
        expect(await ada.get('/online_users')).to.not.have.property(kim.name)
        expect(await ada.get('/typing/general')).to.deep.equal([])
        expect(await ada.get('/read_receipts/general')).to.not.have.property(kim.name)
        expect(await ada.get('/channel_members/general')).to.not.include(kim.name)
        const keys = keysWith(world.backing.env.REDIS_PREFIX)
        for (const key of [keys.tabsOf(kim.name), keys.sessionsOf(kim.name)])
          expect(await redis.exists(key)).to.equal(0)
      })

      it('removes reactions, also on open tabs', async () => {
        const [first, second] = [await ada.send('general', 'one'), await ada.send('general', 'two')]
        await kim.react(first, 'tada')
        await bob.react(first, 'tada')
        await kim.react(second, '👍')
        const after = await newest(ada, 'general')
        const tab = await openTab(events.url, ada.cookie, { channel: 'general', after })
        await tab.waitFor(({ last }) => last.dms)
        await deleted(kim, type)
        expect((await ada.messages('general')).flatMap(row => row.reactions ?? [])).to.not.include(kim.name)
        await rewritten()
        const changed = await ada.messages('general', after)
        expect(changed.map(({ id, reactions }) => [id, reactions && JSON.parse(reactions)])).to.deep.equal([
          [first, { tada: ['bob'] }],
          [second, null],
        ])
        const seen = await tab.waitFor(() => (tab.rows().length >= 2 ? tab.rows() : false))
        expect(seen).to.deep.equal(changed)
        tab.close()
      })

      it('ends private memberships with the usual line, and keeps an empty channel', async () => {
        const created = await kim.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
        const { id, channel } = (await created.json()) as PrivateChannelPayload
        const alone = (await (
          await kim.postJson('/private_channels/create', { name: 'cell', members: [] })
        ).json()) as PrivateChannelPayload
        await ada.send(channel, 'hello')
        const tab = await openTab(events.url, ada.cookie, { channel, after: await newest(ada, channel) })
        await deleted(kim, type)
        const leaver = type === 'soft' ? kim.name : 'Deleted User'
        const line = { sender: 'system', content: `${leaver} left the channel.`, content_type: 'system' }
        expect(await ada.get(`/private_channels/${id}/members`)).to.deep.equal([{ username: 'ada' }])
        await rewritten()
        expect((await ada.messages(channel)).at(-1)).to.include(line)
        expect(await ada.get(`/private_channels/${id}/members`)).to.deep.equal([{ username: 'ada' }])
        expect(await tab.waitFor(() => tab.rows().at(-1))).to.include(line)
        tab.close()
        const { rows } = await db.query('select name from private_channels where id = $1', [alone.id])
        expect(rows).to.deep.equal([{ name: 'cell' }])
        expect(
          (await db.query('select from messages where channel = $1', [alone.channel])).rowCount,
        ).to.equal(0)
      })

      it('leaves running calls and stops own shares', async () => {
        const channel = dmOf(ada, kim)
        await ada.send(channel, 'hello')
        const { call_id } = (await (await kim.postJson('/calls/initiate', { channel })).json()) as {
          call_id: string
        }
        await ada.postForm(`/calls/${call_id}/accept`)
        await kim.postJson('/screenshare/start', { channel })
        expect(await ada.get(`/screenshare/active?channel=${channel}`)).to.have.length(1)
        await deleted(kim, type)
        expect(await ada.get(`/screenshare/active?channel=${channel}`)).to.deep.equal([])
        expect(await ada.get(`/calls/${call_id}/state`)).to.include({ state: 'ended' })
        expect((await ada.messages(channel)).at(-1)!.content).to.match(/^Call, /)
      })

      it('stops an unanswered ring at the other end', async () => {
        const channel = dmOf(ada, kim)
        const tab = await openTab(events.url, ada.cookie)
        await kim.postJson('/calls/initiate', { channel })
        await tab.waitFor(({ last }) => last.incoming_calls?.length === 1)
        await deleted(kim, type)
        await tab.waitFor(({ last }) => last.incoming_calls?.length === 0)
        tab.close()
      })

      it('publishes one notice that invalidates everything', async () => {
        await kim.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
        const keys = keysWith(world.backing.env.REDIS_PREFIX)
        const from = await newestNoticeId(redis, keys)
        await deleted(kim, type)
        // The other notices announce the rows that the janitor rewrites, per channel.
        const everywhere = await eventually(async () => {
          const notices = (await readNotices(redis, keys, from, 1)).flatMap(({ notice }) => notice ?? [])
          const found = notices.filter(({ concerns }) =>
            concerns.some(({ channel }) => channel === undefined),
          )
          expect(found).to.have.length(1)
          return found
        })
        const { concerns, endedSessions } = everywhere[0]!
        const [{ collections, users }] = concerns as [Concern]
        expect(new Set<string>(collections)).to.deep.equal(new Set([...EVENT_NAMES, ...EXTRA_EVENTS]))
        expect([users, endedSessions!.length]).to.deep.equal([undefined, 1])
      })

      it('keeps a DM readable for the other participants', async () => {
        const channel = dmOf(ada, kim)
        await ada.send(channel, 'mine')
        await kim.send(channel, 'theirs')
        await deleted(kim, type)
        const list = await ada.get<DmPayload[]>('/dms')
        expect(list.find(dm => dm.channel === channel)).to.deep.include({ users: [kim.name] })
        const contents = (await ada.messages(channel)).map(row => row.content)
        expect(contents).to.deep.equal(type === 'soft' ? ['mine', 'theirs'] : ['mine'])
        expect((await ada.postForm(`/send/${channel}`, { text: 'anybody?' })).status).to.equal(200)
        await rewritten()
        const { rowCount } = await db.query('select from dm_participants where username = $1', [kim.name])
        expect(rowCount, 'nobody takes part in their name').to.equal(0)
      })

      it('removes the name from every table except the audit log and the list of reserved names', async () => {
        await kim.send('general', 'hello @ada, it is @everyone')
        await ada.send('general', `hello @${kim.name}`)
        await kim.send(dmOf(kim, bob), 'psst')
        await kim.postJson('/dms/close', { channel: dmOf(kim, bob) })
        await kim.markRead('general')
        await kim.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
        const id = await bob.send('general', 'react to this')
        await kim.react(id, 'tada')
        await kim.postJson('/presence/override', { override: 'idle' })
        await deleted(kim, type)
        await forgotten()
        expect(await tracesOf(kim.name)).to.deep.equal([
          'audit_log.actor',
          'audit_log.target',
          'deleted_names.username_key',
        ])
      })
    })
  }

  describe('soft:', () => {
    it('keeps all messages, under the name Deleted User', async () => {
      const channel = dmOf(ada, kim)
      const said = [await kim.send('general', 'in public'), await kim.send(channel, 'to ada')]
      const gone = await kim.send('general', 'taken back')
      await kim.delete(gone)
      await kim.sendImages('general', [{ name: 'a.png', bytes: await image() }])
      const before = await ada.messages('general')
      const file = before.at(-1)!.filename!
      expect((await bob.postJson(`/forward/${said[0]}`, { channel: dmOf(ada, bob) })).status).to.equal(201)

      await deleted(kim, 'soft')
      const after = await ada.messages('general')
      expect(after).to.deep.equal(
        before.map(row => (row.sender === kim.name ? { ...row, sender: 'Deleted User' } : row)),
      )
      expect((await ada.messages(channel))[0]).to.include({ sender: 'Deleted User', content: 'to ada' })
      expect(await ada.get(`/message/${said[0]}`)).to.include({
        sender: 'Deleted User',
        content: 'in public',
      })
      expect((await ada.fetch(`/files/${file}`)).status).to.equal(200)
      const found = await ada.get<MessagePayload[]>('/search_messages?from=deleted%20user&q=in%20public')
      expect(found.map(row => row.id)).to.include(said[0])
      expect(await ada.get(`/search_messages?from=${kim.name}`)).to.deep.equal([])
      await rewritten()
      const files = await db.query('select uploader from files where name = $1', [file])
      expect(files.rows).to.deep.equal([{ uploader: null }])
      const [forward] = await ada.get<MessagePayload[]>(`/messages/${dmOf(ada, bob)}?extra=1&limit=1`)
      expect(forward?.extra?.forward).to.deep.include({ id: said[0], sender: 'Deleted User' })
    })

    it('changes no cursor, because no message changes', async () => {
      await kim.send('general', 'hello')
      const after = await newest(ada, 'general')
      await deleted(kim, 'soft')
      expect(await ada.messages('general', after)).to.deep.equal([])
    })

    it('changes no unread count', async () => {
      await bob.markRead('general')
      await kim.send('general', 'unread')
      const before = await bob.get('/channel_unreads')
      await deleted(kim, 'soft')
      expect(await bob.get('/channel_unreads')).to.deep.equal(before)
    })

    it('works for two accounts that used the same client id', async () => {
      const lee = await newcomer(1)
      const client_id = randomUUID()
      await kim.send('general', 'one', { client_id })
      await lee.send('general', 'two', { client_id })
      await deleted(kim, 'soft')
      await deleted(lee, 'soft')
      await ada.send('general', 'three', { client_id })
    })

    it('is not undone by an edit or a deletion that waited for it', async () => {
      const id = await kim.send('general', 'as it was')
      const holding = await db.connect()
      await holding.query('begin')
      await holding.query(`select from channels where id = 'general' for update`)
      const edit = kim.edit(id, 'too late')
      const bury = kim.delete(id)
      await new Promise(resolve => setTimeout(resolve, 150))
      await holding.query(`update messages set sender = 'Deleted User' where id = $1`, [id])
      await holding.query('commit')
      holding.release()
      expect((await edit).status).to.equal(403)
      await bury
      expect(await ada.get(`/message/${id}`)).to.include({ content: 'as it was', deleted: 0 })
    })
  })

  describe('hard:', () => {
    it('removes every message with its file, reactions and mentions; replies keep their quote', async () => {
      const id = await kim.send('general', 'remember @ada')
      await bob.react(id, 'tada')
      const reply = await bob.send('general', 'I will', { reply_to_id: String(id) })
      await kim.sendImages('general', [{ name: 'a.png', bytes: await image() }])
      const { filename } = (await ada.messages('general')).at(-1)!
      expect(filesKept()).to.include(filename)

      await deleted(kim, 'hard')
      const rows = await ada.messages('general')
      expect(rows.filter(row => row.sender === kim.name || row.sender === 'Deleted User')).to.deep.equal(
        rows.filter(row => row.sender === 'Deleted User' && row.id < id),
      )
      expect(idsOf(rows)).to.not.include(id)
      expect(rows.find(row => row.id === reply)).to.include({ reply_to_id: id, content: 'I will' })
      expect((await ada.fetch(`/message/${id}`)).status).to.equal(404)
      expect((await ada.fetch(`/files/${filename}`)).status).to.equal(404)
      expect((await ada.postForm(`/react/${id}`, { reaction: 'tada' })).status).to.equal(404)
      expect(await ada.get('/search_messages?q=remember')).to.deep.equal([])
      expect(await ada.get('/mentions')).to.deep.equal([])
      await rewritten()
      await eventually(() => expect(filesKept()).to.not.include(filename))
      const left = await db.query('select from reactions where message_id = $1', [id])
      expect(left.rowCount).to.equal(0)
      expect((await db.query('select from files where name = $1', [filename])).rowCount).to.equal(0)
    })

    it('returns a bare tombstone for each message to a reader with a cursor, and none without', async () => {
      const own = await ada.send('general', 'mine')
      const said = [
        await kim.send('general', 'one', { reply_to_id: String(own) }),
        await kim.send('general', 'two'),
      ]
      await kim.delete(said[1]!)
      const [before] = (await ada.messages('general')).filter(row => row.id === said[0])
      const after = await newest(ada, 'general')
      await deleted(kim, 'hard')
      expect(idsOf(await ada.messages('general'))).to.not.include.members(said)
      await rewritten()

      const told = await ada.messages('general', after)
      expect(idsOf(told)).to.deep.equal(said)
      const { deleted_ts } = told[0]!
      expect(told[0]).to.deep.equal({
        id: said[0],
        channel: 'general',
        sender: 'Deleted User',
        content: null,
        filename: null,
        ts: before!.ts,
        edited: 0,
        edited_ts: null,
        deleted: 1,
        deleted_ts,
        reply_to_id: null,
        reactions: null,
        reactions_ts: null,
        mentions: null,
        content_type: 'text',
      })
      expect(deleted_ts).to.be.above(after)
      const later = await newest(ada, 'general')
      const last = Math.max(later, ...told.map(row => row.deleted_ts!))
      expect(await ada.messages('general', last)).to.deep.equal([])
      for (const everything of [0, -1, '', 'nan']) {
        const rows = await ada.messages('general', everything)
        expect(idsOf(rows)).to.not.include.members(said)
        for (const id of said) expect(idsOf(rows)).to.not.include(id)
      }
      const page = await ada.get<MessagePayload[]>('/messages/general?limit=200')
      for (const id of said) expect(idsOf(page)).to.not.include(id)
    })

    it('keeps tombstones for a day', async () => {
      const after = await newest(ada, 'general')
      const id = await kim.send('general', 'yesterday’s news')
      await deleted(kim, 'hard')
      await rewritten()
      expect(idsOf(await ada.messages('general', after))).to.include(id)
      await db.query('update removed_messages set removed_ts = removed_ts - 86400 where id = $1', [id])
      expect(idsOf(await ada.messages('general', after - 90_000))).to.not.include(id)
      expect(await ada.messages('general', after)).to.deep.equal([])
    })

    it('sends tombstones to open tabs and to reconnecting ones', async () => {
      const id = await kim.send('general', 'hello')
      const after = await newest(ada, 'general')
      const tab = await openTab(events.url, ada.cookie, { channel: 'general', after })
      const fresh = await openTab(events.url, bob.cookie, { channel: 'general' })
      await Promise.all([
        tab.waitFor(({ last }) => last.dms),
        fresh.waitFor(() => fresh.rows().some(row => row.id === id)),
      ])
      await deleted(kim, 'hard')
      for (const one of [tab, fresh]) {
        const told = await one.waitFor(() => one.rows().find(row => row.id === id && row.deleted === 1))
        expect(told).to.include({ sender: 'Deleted User', content: null })
      }
      tab.close()
      fresh.close()
      const back = await openTab(events.url, ada.cookie, { channel: 'general', lastEventId: String(after) })
      await back.waitFor(() => back.rows().find(row => row.id === id && row.deleted === 1))
      back.close()
      const newcomerTab = await openTab(events.url, bob.cookie, { channel: 'general' })
      await newcomerTab.waitFor(() => newcomerTab.rows().length > 0)
      expect(idsOf(newcomerTab.rows())).to.not.include(id)
      newcomerTab.close()
    })

    it('removes thousands of messages, and followers miss no tombstone', async function () {
      this.timeout(180_000)
      const mark = await ada.send('general', 'before the flood')
      const after = await newest(ada, 'general')
      await db.query(
        `with flood as (
           insert into messages (channel, ord, sender, content, ts)
           select 'general', message_count + i, case when i % 4 = 0 then 'bob' else $1 end, 'flood ' || i, newest_ts + i / 1000000::double precision
             from channels cross join generate_series(1, 4000) as i
            where id = 'general'
           returning ts
         )
         update channels
            set message_count = message_count + 4000, newest_ts = (select max(ts) from flood),
                clock_us = greatest(clock_us, ((select max(ts) from flood) * 1000000)::bigint + 1)
          where id = 'general'`,
        [kim.name],
      )
      await ada.send('general', 'after the flood')
      const tab = await openTab(events.url, ada.cookie, { channel: 'general', after })
      await tab.waitFor(() => tab.rows().length > 4_000, 20_000)
      const { cursor, fromStart } = { cursor: Number(tab.lastEventId), fromStart: idsOf(tab.rows()) }

      await deleted(kim, 'hard')
      const gone = await tab.waitFor(() => {
        const rows = tab.rows().filter(row => row.deleted === 1)
        return rows.length >= 3_000 && rows
      }, 20_000)
      expect(new Set(idsOf(gone)).size).to.equal(3_000)
      tab.close()

      const told = await bob.messages('general', cursor)
      expect(told.filter(row => row.deleted === 1)).to.have.length(3_000)
      expect(new Set(told.map(row => row.deleted_ts)).size).to.equal(3_000)
      const early = await bob.messages('general', after)
      expect(early.filter(row => row.content?.startsWith('flood'))).to.have.length(1_000)
      expect(early.filter(row => row.deleted === 1)).to.have.length(3_000)
      expect(early.map(row => row.ts)).to.deep.equal(early.map(row => row.ts).sort((a, b) => a - b))

      const whole = await openTab(events.url, bob.cookie, { channel: 'general' })
      await whole.waitFor(() => whole.rows().some(row => row.content === 'flood 4000'), 20_000)
      const seen = new Set(fromStart)
      expect(
        whole.rows().filter(row => row.deleted === 1 && seen.has(row.id) && row.id > mark),
      ).to.deep.equal([])
      whole.close()
    })

    it('sends late joiners no tombstones from before they joined', async () => {
      const den = (await (
        await ada.postJson('/private_channels/create', { name: 'den', members: [kim.name] })
      ).json()) as PrivateChannelPayload
      const early = await kim.send(den.channel, 'before dora')
      const dora = await newcomer()
      await ada.postJson(`/private_channels/${den.id}/add_member`, { username: dora.name })
      const after = await newest(dora, den.channel)
      const late = await kim.send(den.channel, 'after dora')
      await deleted(kim, 'hard')
      await rewritten()
      expect(idsOf(await ada.messages(den.channel, after))).to.include.members([early, late])
      const told = idsOf(await dora.messages(den.channel, after))
      expect(told).to.include(late)
      expect(told).to.not.include(early)
    })

    it('excludes the messages from unread counts, read or not, deleted or not', async () => {
      const channel = dmOf(ada, kim)
      await ada.markRead('general')
      await bob.markRead('general')
      const start = await ada.get<Record<string, number>>('/channel_unreads')
      await kim.send('general', 'one')
      await bob.send('general', 'two')
      const third = await kim.send('general', 'three')
      await kim.delete(third)
      await kim.send(channel, 'four')
      await kim.send(channel, 'five')
      expect(await ada.get('/channel_unreads')).to.deep.equal({ general: start['general']! + 2 })
      const others = (await ada.get<{ count: number }>('/unread_count')).count - 2
      await deleted(kim, 'hard')
      const counts = async () => {
        expect(await ada.get('/channel_unreads')).to.deep.equal({ general: start['general']! + 1 })
        expect(await ada.get('/unread_count')).to.deep.equal({ count: others })
      }
      await counts()
      await rewritten()
      await counts()
      await bob.send('general', 'six')
      expect(await ada.get('/channel_unreads')).to.deep.equal({ general: start['general']! + 2 })
      const dora = await newcomer()
      expect(await dora.get('/channel_unreads')).to.deep.equal({ general: 1 })
      await ada.markRead('general')
      expect(await ada.get('/channel_unreads')).to.deep.equal({ general: 0 })
    })

    it('hides a closed DM again that a message of the account had reopened', async () => {
      const channel = dmOf(ada, kim)
      await ada.send(channel, 'hello')
      await ada.postJson('/dms/close', { channel })
      await kim.send(channel, 'are you there?')
      const isListed = async () => (await ada.get<DmPayload[]>('/dms')).some(dm => dm.channel === channel)
      expect(await isListed()).to.equal(true)
      await deleted(kim, 'hard')
      expect(await isListed()).to.equal(false)
    })
  })

  describe('while Redis is away', () => {
    it('fails as a whole when sessions cannot be ended: account and password stay', async () => {
      const link = await NetworkLink.to(world.backing.env.REDIS_URL)
      const api = await startService('api', { ...world.backing.env, REDIS_URL: link.url })
      try {
        kim.at = api.url
        const { csrf_token } = await kim.get<{ csrf_token: string }>('/csrf_token')
        const id = await kim.send('general', 'still here')
        await link.cut()
        expect((await remove(kim, 'hard')).status).to.equal(503)
        const NEW = 'Another-kettle-2'
        const form = { csrf_token, current_password: PASSWORD, new_password: NEW, confirm_password: NEW }
        expect((await kim.postForm('/change-password', form)).status).to.equal(503)
        expect(await ada.get(`/message/${id}`)).to.include({ sender: kim.name })
        await link.mend()
        await eventually(async () => expect((await remove(kim, 'hard')).status).to.equal(200))
        expect((await ada.fetch(`/message/${id}`)).status).to.equal(404)
      } finally {
        await api.stop()
        await link.cut()
      }
    })
  })

  describe('concurrently', () => {
    it('with another deletion of the same account: one of them succeeds', async () => {
      for (let round = 0; round < 5; round++) {
        const lee = await newcomer()
        await lee.send('general', 'hello')
        const phone = Object.assign(new Person(lee.name, at(1)), { cookie: lee.cookie })
        const answers = await Promise.all([remove(lee, 'soft'), remove(phone, 'hard'), remove(lee, 'soft')])
        const statuses = answers.map(answer => answer.status).sort()
        expect(statuses).to.deep.equal([200, 302, 302])
      }
    })

    it('with all other writes of the user: nothing in their name remains after the response', async function () {
      this.timeout(180_000)
      for (const type of ['soft', 'hard', 'soft', 'hard'] as const) {
        const lee = await newcomer()
        const created = await lee.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
        const { channel } = (await created.json()) as PrivateChannelPayload
        const mark = await ada.send('general', 'react to this')
        const tabs = [0, 1].map(i => Object.assign(new Person(lee.name, at(i)), { cookie: lee.cookie }))
        const act = async (i: number) => {
          await new Promise(resolve => setTimeout(resolve, i))
          const tab = tabs[i % 2]!
          return Promise.all([
            tab.postForm('/send/general', { text: `public ${i}` }),
            tab.postForm(`/send/${channel}`, { text: `private ${i}` }),
            tab.postForm(`/send/${dmOf(lee, ada)}`, { text: `direct ${i}` }),
            tab.react(mark, 'tada'),
            tab.markRead('general'),
            tab.postJson('/presence', { state: 'active' }),
            tab.postForm('/settings', { name_color: '#000000' }),
            tab.postJson('/calls/initiate', { channel }),
          ])
        }
        const acts = Array.from({ length: 25 }, (_, i) => act(i * 2))
        await new Promise(resolve => setTimeout(resolve, 20))
        const answer = await remove(lee, type)
        expect(answer.status).to.equal(200)
        const statuses = new Set((await Promise.all(acts)).flat().map(response => response.status))
        expect((await ada.messages('general')).map(row => row.sender)).to.not.include(lee.name)
        await forgotten()
        const sent = await db.query('select from messages where sender = $1', [lee.name])
        expect(sent.rowCount).to.equal(0)
        // 400: a DM with a deleted account, a call without anybody left to ring.
        for (const status of statuses) expect(status).to.be.oneOf([200, 204, 302, 400, 403, 404, 409])
        expect((await db.query('select from messages where sender = $1', [lee.name])).rowCount).to.equal(0)
        expect((await db.query('select from reactions where username = $1', [lee.name])).rowCount).to.equal(0)
        expect(
          (await db.query('select from private_channel_members where username = $1', [lee.name])).rowCount,
        ).to.equal(0)
        expect(
          (
            await db.query(
              `select from call_participants join calls using (call_id) where username = $1 and calls.state in ('ringing', 'active')`,
              [lee.name],
            )
          ).rowCount,
        ).to.equal(0)
        expect((await ada.get<Record<string, unknown>>('/online_users'))[lee.name]).to.equal(undefined)
      }
    })

    it('with a sign-up under the same name: the sign-up fails', async () => {
      for (let round = 0; round < 8; round++) {
        const lee = await newcomer()
        const again = Array.from({ length: 6 }, async (_, i) => {
          await new Promise(resolve => setTimeout(resolve, i * 2))
          return new Person(lee.name, at(i)).postForm('/signup', {
            username: lee.name,
            // With the same one it would repeat the sign-up of the account.
            password: 'Another-kettle-2',
            confirm_password: 'Another-kettle-2',
          })
        })
        const [answer, ...signUps] = await Promise.all([remove(lee), ...again])
        expect(answer.status).to.equal(200)
        expect(signUps.map(signUp => signUp.status)).to.deep.equal(Array(6).fill(200))
        expect((await db.query('select from users where username = $1', [lee.name])).rowCount).to.equal(0)
      }
    })

    it('with an invitation: no deleted account becomes a member', async () => {
      for (let round = 0; round < 6; round++) {
        const lee = await newcomer()
        const { id } = (await (
          await ada.postJson('/private_channels/create', { name: 'den', members: [] })
        ).json()) as PrivateChannelPayload
        const [answer, invitation] = await Promise.all([
          remove(lee),
          ada.postJson(`/private_channels/${id}/add_member`, { username: lee.name }),
        ])
        expect(answer.status).to.equal(200)
        expect(invitation.status).to.be.oneOf([204, 404])
        expect(await ada.get(`/private_channels/${id}/members`)).to.deep.equal([{ username: 'ada' }])
      }
    })

    it('of many accounts that share channels, calls and reactions: no deadlock', async function () {
      this.timeout(180_000)
      const people = await Promise.all(Array.from({ length: 8 }, (_, i) => newcomer(i)))
      const names = people.map(person => person.name)
      const dens: PrivateChannelPayload[] = []
      for (let i = 0; i < 4; i++) {
        const created = await people[i]!.postJson('/private_channels/create', {
          name: `den ${i}`,
          members: names,
        })
        dens.push((await created.json()) as PrivateChannelPayload)
      }
      const ids: number[] = []
      for (const person of people) {
        for (const { channel } of dens) ids.push(await person.send(channel, 'hello'))
        ids.push(await person.send('general', 'hello'))
      }
      await Promise.all(people.flatMap(person => ids.map(id => person.react(id, 'tada'))))
      for (const [i, { channel }] of dens.entries()) await people[i]!.postJson('/calls/initiate', { channel })
      const talk = Array.from({ length: 40 }, () => ada.send('general', 'and life goes on'))
      const answers = await Promise.all(people.map((person, i) => remove(person, i % 2 ? 'hard' : 'soft')))
      expect(answers.map(answer => answer.status)).to.deep.equal(Array(8).fill(200))
      await Promise.all(talk)
      const left = await db.query('select from private_channel_members where username = any($1)', [names])
      expect(left.rowCount).to.equal(0)
    })
  })
})
