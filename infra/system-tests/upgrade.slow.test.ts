import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type { ChannelInfoPayload, DmPayload, SidebarPayload } from '#shared/domain/payloads.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { type OlderDatabase, olderDatabase } from '#shared/test-kit/older-database.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

/** As the version before roles stored them (migration 0031). */
const DAY_AGO = Math.floor(Date.now() / 1_000) - 86_400
const at = (seconds: number) => DAY_AGO + seconds
const CONTENT = `
  insert into users (username, password_hash, created_ts)
  select name, $1, ${at(1000)} from unnest(array['Ada', 'bob', 'cleo']) as name;
  insert into presence (username, state, last_seen) select username, 'active', ${at(2000)} from users;
  insert into channels (id, clock_us, newest_ts, message_count)
  values ('general', ${at(3000)}000000, ${at(3000)}, 4), ('dm:Ada:bob', ${at(3000)}000000, ${at(3000)}, 1), ('private:1', ${at(3000)}000000, ${at(3000)}, 2);
  insert into dm_participants (username, channel) values ('Ada', 'dm:Ada:bob'), ('bob', 'dm:Ada:bob');
  insert into private_channels (name, created_by, created_ts) values ('den', 'Ada', ${at(1500)});
  insert into private_channel_members (channel_id, username, joined_ts) values (1, 'Ada', ${at(1500)}), (1, 'bob', ${at(1600)});
  insert into messages (channel, ord, sender, content, ts, reply_to_id, mentions, deleted, deleted_ts, content_type)
  values ('general', 1, 'system', 'Welcome to bothy, Ada! Say hello.', ${at(2000)}, null, null, 0, null, 'system'),
         ('general', 2, 'Ada', 'hello @bob', ${at(2100)}, null, '["bob"]', 0, null, 'text'),
         ('general', 3, 'bob', 'hello', ${at(2200)}, 2, null, 0, null, 'text'),
         ('general', 4, 'bob', null, ${at(3000)}, null, null, 1, ${at(3000)}, 'text'),
         ('dm:Ada:bob', 1, 'Ada', 'between us', ${at(3000)}, null, null, 0, null, 'text'),
         ('private:1', 1, 'Ada', 'in the den', ${at(2500)}, null, null, 0, null, 'text'),
         ('private:1', 2, 'bob', 'here', ${at(3000)}, null, null, 0, null, 'text');
  insert into message_mentions (channel, username, ts, message_id) values ('general', 'bob', ${at(2100)}, 2);
  insert into reactions (message_id, emoji, username, ts) values (2, 'tada', 'bob', ${at(2300)});
  update messages set reactions_ts = ${at(2300)} where id = 2;
  insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
  values ('general', 'bob', ${at(3000)}, 4), ('private:1', 'bob', ${at(3000)}, 2), ('general', 'Ada', ${at(3000)}, 4);
  insert into channel_prefs (username, channel, muted_until) values ('bob', 'private:1', 'Infinity')`

describe('a database of the version before roles, with content', () => {
  let backing: TestBacking
  let older: OlderDatabase
  let api: RunningService | undefined
  before(async () => {
    backing = await testBacking()
    older = await olderDatabase(backing, '0031_calls_with_video.sql')
    const db = new pg.Client(older.adminDatabaseUrl)
    await db.connect()
    for (const statement of CONTENT.split(';\n'))
      await db.query(statement, statement.includes('$1') ? [passwordRecord()] : [])
    await db.end()
  })
  after(async () => {
    await api?.stop()
    await older.drop()
    await backing.drop()
  })

  it('is the same for its people after the upgrade, and everybody is a member', async () => {
    const applied = await migrate(older.ownerDatabaseUrl)
    expect(applied[0]).to.equal('0032_people.sql')
    api = await startService('api', older.env)
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map(async name => {
        const person = new Person(name, api!.url)
        expect((await person.postForm('/login', { username: name, password: PASSWORD })).status).to.equal(302)
        return person
      }),
    )
    for (const person of [ada!, bob!])
      expect(await person.get('/me')).to.deep.include({ role: 'member', display_name: null })
    expect(await bob!.get('/users')).to.deep.equal(['Ada', 'cleo'])
    expect(await bob!.get('/channels')).to.deep.equal(['general'])
    expect(await bob!.get('/channel_unreads')).to.deep.equal({ general: 0 })
    expect(await bob!.get<DmPayload[]>('/dms')).to.deep.equal([
      { channel: 'dm:Ada:bob', users: ['Ada'], unread: 1 },
    ])
    expect(await bob!.get('/private_channels')).to.deep.equal([
      { id: 1, channel: 'private:1', name: 'den', unread: 0 },
    ])
    const rows = await bob!.messages('general')
    expect(rows.map(({ sender, content, deleted }) => [sender, content, deleted])).to.deep.equal([
      ['system', 'Welcome to bothy, Ada! Say hello.', 0],
      ['Ada', 'hello @bob', 0],
      ['bob', 'hello', 0],
      ['bob', null, 1],
    ])
    expect(rows[1]).to.include({ reactions: '{ "tada" : ["bob"] }', mentions: '["bob"]' })
    const { channels } = await bob!.get<SidebarPayload>('/sidebar')
    expect(channels.map(({ channel, muted_until }) => [channel, muted_until])).to.deep.equal([
      ['general', null],
      ['private:1', 'forever'],
      ['dm:Ada:bob', null],
    ])
    const info = await bob!.get<ChannelInfoPayload>('/channel_info/private:1')
    expect(info.managers).to.deep.equal(['Ada'])
    for (const channel of ['general', 'private:1', 'dm:Ada:bob'])
      await bob!.send(channel, 'after the upgrade')
    expect((await ada!.react(3, 'heart')).status).to.equal(200)
    expect(
      (await bob!.get<{ items: { kind: string }[] }>('/inbox')).items.map(({ kind }) => kind),
    ).to.deep.equal(['reaction', 'mention'])
    expect((await ada!.get<{ items: unknown[] }>('/search?q=den')).items).to.have.length(1)
    const page = await new Person('dora', api.url).signUp()
    expect(await page.get('/me'), 'no owner by signing up later').to.include({ role: 'member' })
  }).timeout(60_000)
})

function passwordRecord(): string {
  const salt = randomBytes(16)
  const hash = pbkdf2Sync(PASSWORD, salt, 1_000, 32, 'sha256')
  return `pbkdf2-sha256$1000$${salt.toString('base64')}$${hash.toString('base64')}`
}
