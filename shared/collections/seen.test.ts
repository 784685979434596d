import { expect } from 'chai'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { newestOfLarge, seenOf } from './seen.ts'

describe('the readers of the newest messages', () => {
  it('are counted without the author, and five of them are named', () => {
    const marks = new Map(['ada', 'bob', 'cleo', 'dora', 'eve', 'finn', 'gil'].map((name, at) => [name, at]))
    const messages = [
      { id: 1, sender: 'gil', ts: 0 },
      { id: 2, sender: 'bob', ts: 5 },
      { id: 3, sender: 'ada', ts: 9 },
    ]
    expect(seenOf(messages, marks)).to.deep.equal([
      { id: 1, count: 6, names: ['ada', 'bob', 'cleo', 'dora', 'eve'] },
      { id: 2, count: 2, names: ['finn', 'gil'] },
      { id: 3, count: 0, names: [] },
    ])
  })

  describe('of a channel', () => {
    let world: World
    let stores: OpenStores

    before(async () => {
      world = await newWorld()
      const { DATABASE_URL, REDIS_URL, REDIS_PREFIX, FILES_URL, SETTINGS_FILE } = world.backing.env
      stores = await openStores({
        databaseUrl: DATABASE_URL,
        redisUrl: REDIS_URL,
        redisPrefix: REDIS_PREFIX,
        filesUrl: FILES_URL,
        settingsFile: SETTINGS_FILE,
      })
    })
    after(async () => {
      await stores?.stop()
      await world?.end()
    })

    it('are counted only from more than fifty people on, for twenty messages, and not before the last member came', async () => {
      const den = await world.privateChannel('den', [world.ada, world.bob])
      await world.ada.send(den, 'early')
      expect(await newestOfLarge(stores, den)).to.equal(undefined)
      expect(await newestOfLarge(stores, 'dm:ada:bob')).to.equal(undefined)
      const id = Number(den.replace('private:', ''))
      await stores.db.query(
        `with made as (
           insert into users (username, password_hash, created_ts)
           select 'm' || n, 'x', 0 from generate_series(1, 49) n returning username)
         insert into private_channel_members (channel_id, username, joined_ts, history_start_ts)
         select $1, username, 0, (select max(ts) + 0.000001 from messages where channel = $2) from made`,
        [id, den],
      )
      expect(await newestOfLarge(stores, den)).to.deep.equal([])
      for (let at = 0; at < 22; at++) await world.ada.send(den, `late ${at}`)
      const newest = (await newestOfLarge(stores, den))!
      const rows = await world.ada.messages(den)
      expect(newest.map(one => one.id)).to.deep.equal(rows.slice(-20).map(row => row.id))
    })
  })
})
