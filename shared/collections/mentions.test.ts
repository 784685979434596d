import { expect } from 'chai'
import type { Username } from '#shared/domain/units.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { MOST_MENTION_TEXT, mentions } from './mentions.ts'

const MB = 1024 * 1024

describe('mentions (interface 4.2)', () => {
  let backing: TestBacking
  let stores: OpenStores
  const viewers: Username[] = Array.from({ length: 450 }, (_, i) => `u${i + 1}`)

  before(async () => {
    backing = await testBacking()
    stores = await storesOf(backing)
    await stores.db.query(
      `insert into users (username, password_hash, created_ts) select name, 'x', 0 from unnest($1::text[]) name`,
      [[...viewers, 'writer']],
    )
  })
  after(async () => {
    await stores.stop()
    await backing.drop()
  })
  beforeEach(async () => {
    await stores.db.query('truncate channels, messages, message_mentions, read_watermarks cascade')
  })

  /** Inserts messages with the times 1 to `count` that mention `name`. */
  async function write(channel: string, count: number, text: string, name = '@everyone') {
    await stores.db.query(
      `insert into channels (id, clock_us, newest_ts, message_count) values ($1, $2::bigint * 1000000, $2, $2)`,
      [channel, count],
    )
    // Long texts are folded for searches, which takes a statement some milliseconds each.
    for (let from = 1; from <= count; from += 50)
      await stores.db.query(
        `with put as (
           insert into messages (channel, ord, sender, content, ts, mentions)
           select $1, i, 'writer', i || $3, i, json_build_array($4::text)::text from generate_series($2::int, $5::int) i
           returning id, ts)
         insert into message_mentions (channel, username, ts, message_id) select $1, $4, ts, id from put`,
        [channel, from, text, name, Math.min(from + 49, count)],
      )
  }

  it('of 500 unread messages of full length to everyone, for 100 viewers, take little memory', async () => {
    await write('general', 500, 'é'.repeat(5_000) + 'x'.repeat(4_990))
    const some = viewers.slice(0, 100)
    await mentions.read(stores, some)

    const before = process.memoryUsage()
    const payloads = await mentions.read(stores, some)
    const { rss } = process.memoryUsage()

    expect(rss - before.rss).to.be.below(64 * MB)
    const lists = [...payloads.values()]
    expect(new Set(lists).size, 'one list for all').to.equal(1)
    expect(lists[0]!.map(mention => mention.ts)).to.deep.equal([500, 499])
  })

  it('are the newest that fit into the bound, always including the newest', async () => {
    await write('general', 400, ' short')
    const ada = (await mentions.read(stores, ['u1'])).get('u1')!
    expect(ada.length).to.be.within(200, 330)
    expect(ada.map(mention => mention.ts)).to.deep.equal(ada.map((_, i) => 400 - i))

    await stores.db.query('truncate channels, messages, message_mentions cascade')
    await write('general', 3, '😀'.repeat(10_000))
    const huge = (await mentions.read(stores, ['u1'])).get('u1')!
    expect(Buffer.byteLength(huge[0]!.content!)).to.be.above(MOST_MENTION_TEXT)
    expect(huge.map(mention => mention.ts)).to.deep.equal([3])
  })

  it('begin at the watermark and at the start of the history of each viewer, over several queries', async () => {
    await write('general', 30, ' all')
    await write('private:9', 20, ' den')
    await write('dm:u1:u2', 10, ' @u1', 'u1')
    await stores.db.query(
      `insert into dm_participants (username, channel) values ('u1', 'dm:u1:u2'), ('u2', 'dm:u1:u2')`,
    )
    await stores.db.query(
      `insert into private_channels (id, name, created_by, created_ts) overriding system value values (9, 'den', 'u1', 0)`,
    )
    await stores.db.query(
      `insert into private_channel_members (channel_id, username, joined_ts, history_start_ts) values (9, 'u1', 0, null), (9, 'u449', 0, 18)`,
    )
    await stores.db.query(
      `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
       select 'general', 'u' || i, 28, 28 from generate_series(1, 440) i`,
    )
    const payloads = await mentions.read(stores, viewers)
    const seen = (name: string) => payloads.get(name)!.map(({ channel, ts }) => `${channel} ${ts}`)
    expect(seen('u2')).to.deep.equal(['general 30', 'general 29'])
    expect(seen('u449')).to.have.length(33)
    expect(seen('u449').filter(row => row.startsWith('private'))).to.deep.equal([
      'private:9 20',
      'private:9 19',
      'private:9 18',
    ])
    expect(seen('u1')).to.have.length(32)
    expect(seen('u1').slice(0, 3)).to.deep.equal(['general 30', 'general 29', 'private:9 20'])
    expect(seen('u1').filter(row => row.startsWith('dm'))).to.have.length(10)
    expect(seen('u450')).to.have.length(30)
    const texts = new Set(viewers.flatMap(name => payloads.get(name)!.filter(row => row.ts === 30)))
    expect(texts.size, 'one object for the message').to.equal(1)
  })
})
