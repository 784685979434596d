import { expect } from 'chai'
import { Redis } from 'ioredis'
import { dmId, MOST_PARTICIPANTS } from '#shared/domain/channel-id.ts'
import type { PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { fromText, type Notice } from '#shared/notices/notice.ts'
import { newestNoticeId } from '#shared/notices/notice-log.ts'
import { keysWith } from '#shared/stores/keys.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { type Invalidation, Memberships } from './memberships.ts'

describe('notices and the members of a private channel', () => {
  let world: World
  let stores: OpenStores
  let gateway: RunningService
  let den: ChannelId
  before(async () => {
    world = await newWorld({ apis: 2 })
    const { env } = world.backing
    gateway = await startService('events', env)
    stores = await storesOf(world.backing)
    den = await world.privateChannel('den', [world.ada, world.bob])
    await stores.db.query(
      `insert into users (username, password_hash, created_ts)
       select 'a-rather-long-name-of-a-member-' || i, 'x', 0 from generate_series(1, 1500) i`,
    )
    await stores.db.query(
      `insert into private_channel_members (channel_id, username, joined_ts)
       select $1, username, 0 from users where username like 'a-rather-long-name%'`,
      [Number(den.slice('private:'.length))],
    )
  })
  after(async () => {
    await gateway.stop()
    await stores.stop()
    await world.end()
  })

  it('stay below a kilobyte for every write in a channel of 1,500 members', async () => {
    const redis = new Redis(world.backing.env.REDIS_URL)
    const key = keysWith(world.backing.env.REDIS_PREFIX).notices()
    const id = await world.ada.send(den, 'hello')
    const names = Array.from({ length: 100 }, (_, i) => `@a-rather-long-name-of-a-member-${i + 1}`)
    await world.ada.edit(id, names.join(' '))
    await world.ada.send(den, names.join(' '))
    await world.bob.react(id, 'tada')
    await world.bob.markRead(den)
    await world.ada.rename(den, 'burrow')
    await world.ada.addMember(den, 'cleo')
    await world.cleo.leave(den)
    const called = await world.ada.postJson('/calls/initiate', { channel: den })
    const { call_id } = (await called.json()) as { call_id: string }
    await world.bob.postForm(`/calls/${call_id}/accept`)
    await world.ada.postForm(`/calls/${call_id}/end`)
    await world.ada.delete(id)
    await world.ada.postJson('/private_channels/create', {
      name: 'many',
      members: names.map(name => name.slice(1)),
    })
    await eventually(async () => expect(await redis.xlen(key)).to.be.at.least(17))

    const notices = await redis.xrange(key, '-', '+')
    for (const [, [, text]] of notices) expect(text!.length, text).to.be.below(1_000)
    redis.disconnect()
  })

  it('stay below a kilobyte, besides the id, for every write in a DM of fifty people with long names', async () => {
    const { ada, bob } = world
    const names = Array.from({ length: MOST_PARTICIPANTS - 2 }, (_, i) =>
      String(i).padStart(32, 'participant-'),
    )
    await stores.db.query(
      `insert into users (username, password_hash, created_ts) select unnest($1::text[]), 'x', 0`,
      [names],
    )
    const dm = dmId(['ada', 'bob', ...names])
    const from = await newestNoticeId(stores.redis, stores.keys)
    const id = await ada.send(
      dm,
      names
        .slice(0, 10)
        .map(name => `@${name}`)
        .join(' '),
    )
    await ada.edit(
      id,
      names
        .slice(10, 20)
        .map(name => `@${name}`)
        .join(' '),
    )
    await ada.edit(id, names.map(name => `@${name}`).join(' '))
    await bob.react(id, 'tada')
    await bob.markRead(dm)
    await bob.fetch(`/typing/${dm}`, { method: 'POST' })
    await bob.postJson('/dms/close', { channel: dm })
    const started = await ada.postJson('/calls/initiate', { channel: dm })
    const { call_id } = (await started.json()) as { call_id: string }
    await bob.postForm(`/calls/${call_id}/accept`)
    await ada.postForm(`/calls/${call_id}/end`)
    await ada.postJson('/screenshare/start', { channel: dm })
    await ada.delete(id)
    const texts = await eventually(async () => {
      const notices = await stores.redis.xrange(stores.keys.notices(), `(${from}`, '+')
      expect(notices).to.have.length.of.at.least(12)
      return notices.map(([, [, text]]) => text!)
    })
    expect(dm.length).to.be.above(1_500)
    for (const text of texts) expect(text.length, text).to.be.below(dm.length + 1_000)
    expect(Math.max(...texts.map(text => text.length))).to.be.above(dm.length)
  })

  it('reach earlier, later, added and former members, and nobody else', async () => {
    const { ada, bob, cleo, mallory } = world
    const listed = async (person: Person) => {
      const tab = await openTab(gateway.url, person.cookie, {})
      return {
        tab,
        unread: () => {
          const text = tab.lastText('private_channels')
          const lists = JSON.parse(text ?? '[]') as PrivateChannelPayload[]
          return lists.find(entry => entry.channel === den)?.unread
        },
      }
    }
    const bobs = await listed(bob)
    const mallorys = await listed(mallory)
    await bob.markRead(den)
    await eventually(() => expect(bobs.unread()).to.equal(0))
    await ada.send(den, 'one')
    await eventually(() => expect(bobs.unread()).to.equal(1))

    const late = await listed(ada)
    await bob.send(den, 'two')
    await eventually(() => expect(late.unread()).to.equal(1))

    const cleos = await listed(cleo)
    await ada.addMember(den, 'cleo')
    await eventually(() => expect(cleos.unread()).to.be.a('number'))
    const before = cleos.unread()!
    await ada.send(den, 'three')
    await eventually(() => expect(cleos.unread()).to.equal(before + 1))
    await cleo.leave(den)
    await eventually(() => expect(cleos.unread()).to.equal(undefined))
    expect(mallorys.unread()).to.equal(undefined)
    for (const { tab } of [bobs, mallorys, late, cleos]) tab.close()
  })

  it('name a reply instead of thirteen followers, whose inboxes alone are read again', async () => {
    const { ada, bob, cleo } = world
    const root = await ada.send('general', 'a busy thread')
    await bob.send('general', 'first', { reply_to_id: String(root) })
    await stores.db.query(
      `insert into thread_follows (username, root_id, channel, following, changed_ts)
       select 'a-rather-long-name-of-a-member-' || i, $1, 'general', i <= 15, 0 from generate_series(1, 20) i`,
      [root],
    )
    const isOfReply = ({ concerns }: Notice) => concerns.some(one => one.followersOf !== undefined)
    const from = await newestNoticeId(stores.redis, stores.keys)
    const id = await cleo.send('general', 'second', { reply_to_id: String(root) })
    await cleo.edit(id, 'changed')
    await cleo.delete(id)
    const notices = await eventually(async () => {
      const entries = await stores.redis.xrange(stores.keys.notices(), `(${from}`, '+')
      const found = entries.map(([, [, text]]) => fromText(text!)!).filter(isOfReply)
      expect(found).to.have.lengthOf(3)
      return found
    })
    const memberships = new Memberships(stores, { lastArrival: 0, viewersSince: () => [] })
    for (const notice of notices) {
      expect(notice.concerns.slice(-2)).to.deep.equal([
        { collections: ['inbox'], channel: 'general', users: ['cleo'] },
        { collections: ['inbox'], channel: 'general', followersOf: id },
      ])
      const found: Invalidation[] = []
      memberships.resolve(notice, one => one.collections.includes('inbox') && found.push(one))
      await eventually(() => expect(found).to.have.lengthOf(2))
      const followers = Array.from({ length: 15 }, (_, i) => `a-rather-long-name-of-a-member-${i + 1}`)
      expect(found.flatMap(({ users }) => users)).to.have.members([
        'cleo',
        'cleo',
        'ada',
        'bob',
        ...followers,
      ])
    }
  })

  describe('as a gateway looks them up', () => {
    let asked: Username[][]
    let viewers: Username[]
    let memberships: Memberships
    let slow: Promise<void> | undefined
    let fails: boolean
    beforeEach(() => {
      asked = []
      viewers = ['ada', 'mallory']
      slow = undefined
      fails = false
      const db: Db = {
        async query(sql: string, values?: unknown[]) {
          asked.push((values as [number, Username[]])[1])
          if (fails) throw new Error('away')
          const result = await stores.db.query(sql, values)
          await slow
          return result as never
        },
      }
      memberships = new Memberships(
        { db },
        {
          get lastArrival() {
            return viewers.length
          },
          viewersSince: arrival => viewers.slice(arrival),
        },
      )
    })
    const notice = (): Notice => ({
      concerns: [
        { collections: ['mentions'], channel: den, users: ['bob'] },
        { collections: ['messages', 'typing', 'read_receipts', 'private_channels'], channel: den },
      ],
    })

    async function invalidations(count: number, act = () => {}): Promise<Invalidation[]> {
      const found: Invalidation[] = []
      memberships.resolve(notice(), invalidation => found.push(invalidation))
      act()
      await eventually(() => expect(found).to.have.length(count))
      return found
    }

    it('are cached until a membership notice; only later viewers are queried', async () => {
      expect(await invalidations(3)).to.deep.equal([
        { collections: ['mentions'], channel: den, users: ['bob'] },
        { collections: ['messages', 'typing', 'read_receipts'], channel: den },
        { collections: ['private_channels'], channel: den, users: ['ada'] },
      ])
      expect((await invalidations(2)).at(-1)!.users).to.deep.equal(['ada'])
      viewers.push('bob')
      expect((await invalidations(3)).at(-1)!.users).to.deep.equal(['ada', 'bob'])
      expect(asked).to.deep.equal([['ada', 'mallory'], ['bob']])

      memberships.resolve({ concerns: [{ collections: [], channel: den, membership: true }] }, () => {})
      await invalidations(3)
      memberships.forgetAll()
      await invalidations(3)
      expect(asked.slice(-2)).to.deep.equal([viewers, viewers])
    })

    it('include a viewer who arrives during the query', async () => {
      let release = () => {}
      slow = new Promise(resolve => {
        release = resolve
      })
      const first = invalidations(3)
      viewers.push('bob')
      const second = invalidations(3)
      release()
      await first
      expect((await second).at(-1)!.users).to.deep.equal(['ada', 'bob'])
    })

    it('are everybody while the database is away, and are queried again afterwards', async () => {
      fails = true
      expect((await invalidations(3)).at(-1)).to.deep.equal({
        collections: ['private_channels'],
        channel: den,
      })
      fails = false
      expect((await invalidations(3)).at(-1)!.users).to.deep.equal(['ada'])
    })
  })
})
