import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type LinkedStack, startLinkedStack } from '#shared/test-kit/linked-stack.ts'
import type { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import type { RunningService } from '#shared/test-kit/processes.ts'
import { longestOf, timeOf } from '#shared/test-kit/reference.ts'
import type { TestBacking } from '#shared/test-kit/stores.ts'
import type { Tab } from '#shared/test-kit/tab.ts'

/**
 * Security 13: acknowledged messages are never lost, open streams recover by themselves, nothing is shown twice; while
 * a store is away, requests that need it get 503, the others succeed, and none hangs.
 */
describe('when a store goes away under load', function () {
  this.timeout(240_000)
  let stack: LinkedStack
  let backing: TestBacking
  let postgres: NetworkLink
  let redis: NetworkLink
  let api: RunningService
  let ada: Person
  let bob: Person
  let tab: Tab

  before(async () => {
    stack = await startLinkedStack()
    ;({ backing, postgres, redis, api, ada, bob, tab } = stack)
  })
  after(() => stack?.close())

  // Restores the stores also after a failed test.
  afterEach(() => Promise.all([postgres.mend(), redis.mend()]))

  /** Sends numbered texts until stopped; records acknowledged ones and all other statuses. */
  function load(name: string) {
    const acknowledged: string[] = []
    const refused = new Map<number, number>()
    let longest = 0
    let going = true
    const running = (async () => {
      for (let i = 0; going; i++) {
        const text = `${name} ${i}.`
        const began = performance.now()
        const response = await ada.postForm('/send/general', { text })
        await response.text()
        longest = Math.max(longest, performance.now() - began)
        if (response.status === 200) acknowledged.push(text)
        else refused.set(response.status, (refused.get(response.status) ?? 0) + 1)
      }
    })()
    const stop = async () => {
      going = false
      await running
      return { acknowledged, refused, longest }
    }
    return { acknowledged, refused, stop }
  }

  const shownTexts = () =>
    tab.frames
      .filter(frame => frame.event === 'messages')
      .flatMap(frame => JSON.parse(frame.data) as MessagePayload[])
      .map(row => row.content)

  async function expectNothingLost(acknowledged: string[]) {
    const stored = (await bob.messages('general')).map(row => row.content)
    for (const text of acknowledged) {
      expect(
        stored.filter(content => content === text),
        text,
      ).to.have.length(1)
    }
    await eventually(() => {
      const shown = shownTexts()
      for (const text of acknowledged) {
        expect(
          shown.filter(content => content === text),
          text,
        ).to.have.length(1)
      }
    }, 60_000)
    expect(tab.isOpen).to.equal(true)
  }

  /** Uses a new connection: within a transaction, pg_stat_activity does not change. */
  async function statementsWaiting(count: number) {
    const looking = new pg.Client(backing.env.DATABASE_URL)
    await looking.connect()
    try {
      await eventually(async () => {
        const { rowCount } = await looking.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rowCount).to.equal(count)
      })
    } finally {
      await looking.end()
    }
  }

  it('Redis: sends go on, and an open stream shows all of them', async () => {
    const usual = await longestOf(() => ada.send('general', 'with redis'))
    const work = load('without redis')
    await eventually(() => expect(work.acknowledged.length).to.be.greaterThan(5))
    await redis.cut()
    const before = work.acknowledged.length
    await eventually(() => expect(work.acknowledged.length).to.be.greaterThan(before + 10))
    await eventually(async () => expect((await fetch(`${api.url}/readyz?stores`)).status).to.equal(503))
    await redis.mend()
    await eventually(async () => expect((await fetch(`${api.url}/readyz?stores`)).status).to.equal(200))
    const { acknowledged, longest } = await work.stop()
    expect(longest).to.be.lessThan(5_000 + 3 * usual)
    await expectNothingLost(acknowledged)
  })

  it('PostgreSQL: 503 and never 200 for what is not stored; both processes recover by themselves', async () => {
    const work = load('without postgres')
    await eventually(() => expect(work.acknowledged.length).to.be.greaterThan(5))
    await postgres.cut()
    await eventually(() => expect(work.refused.get(503) ?? 0).to.be.greaterThan(3), 60_000)
    await eventually(async () => expect((await fetch(`${api.url}/readyz?stores`)).status).to.equal(503))
    await postgres.mend()
    const before = work.acknowledged.length
    await eventually(() => expect(work.acknowledged.length).to.be.greaterThan(before + 5), 60_000)
    const { acknowledged, refused } = await work.stop()
    expect([...refused.keys()]).to.deep.equal([503])
    await expectNothingLost(acknowledged)
  })

  it('PostgreSQL, within transactions: each request gets 503, and no process ends', async () => {
    const id = await ada.send('general', 'a row to react to')
    const { channel } = (await (
      await ada.postJson('/private_channels/create', { name: 'mill', members: ['bob'] })
    ).json()) as { channel: string }
    const privateId = await ada.send(channel, 'a row to edit')
    const direct = new pg.Client(backing.env.DATABASE_URL)
    await direct.connect()
    try {
      await direct.query('begin')
      await direct.query(
        'lock table users, channels, private_channels, messages, reactions in exclusive mode',
      )
      const responses = Promise.all([
        ada.react(id, '👍'),
        ada.edit(privateId, 'edited'),
        new Person('cleo', api.url).postForm('/signup', {
          username: 'cleo',
          password: PASSWORD,
          confirm_password: PASSWORD,
        }),
      ])
      await statementsWaiting(3)
      await postgres.cut()
      expect((await responses).map(response => response.status)).to.deep.equal([503, 503, 503])
      await direct.query('rollback')
      await postgres.mend()
      await eventually(async () => expect((await fetch(`${api.url}/readyz?stores`)).status).to.equal(200))
      expect((await ada.react(id, '👍')).status).to.equal(200)
    } finally {
      await direct.end()
    }
  })

  it('a locked channel row does not block writing to another channel', async () => {
    const direct = new pg.Client(backing.env.DATABASE_URL)
    await direct.connect()
    try {
      await direct.query('begin')
      await direct.query(`select from channels where id = 'general' for update`)
      const usual = await longestOf(() => ada.send('dm:ada:bob', 'usual'))
      const id = await ada.send('dm:ada:bob', 'before')
      const stuck = Array.from({ length: 40 }, (_, i) =>
        ada.postForm('/send/general', { text: `stuck ${i}.` }),
      )
      await statementsWaiting(3)
      const took = await timeOf(async () => {
        await ada.send('dm:ada:bob', 'meanwhile')
        expect((await bob.react(id, '👍')).status).to.equal(200)
      })
      expect(took).to.be.lessThan(2_000 + 6 * usual)
      await direct.query('commit')
      for (const { status } of await Promise.all(stuck)) expect(status).to.be.oneOf([200, 503])
    } finally {
      await direct.end()
    }
  })

  describe('a locked channel row does not block sends to another channel while many wait to', () => {
    let direct: pg.Client
    let den: ChannelId
    before(async () => {
      direct = new pg.Client(backing.env.DATABASE_URL)
      await direct.connect()
    })
    after(() => direct.end())
    beforeEach(async () => {
      den = await ada.createPrivateChannel('den', ['bob'])
      await ada.send(den, 'the first row')
    })

    /** Holds the row of `channel` while 15 requests wait; expects that a send elsewhere succeeds meanwhile. */
    async function expectOthersServed(channel: ChannelId, request: (i: number) => Promise<Response>) {
      const usual = await longestOf(() => bob.send('dm:ada:bob', 'usual'))
      await direct.query('begin')
      try {
        await direct.query('select from channels where id = $1 for update', [channel])
        const stuck = Array.from({ length: 15 }, (_, i) => request(i))
        await statementsWaiting(3)
        const took = await timeOf(() => bob.send('dm:ada:bob', 'meanwhile'))
        expect(took).to.be.lessThan(2_000 + 3 * usual)
        await statementsWaiting(3)
        await direct.query('rollback')
        for (const { status } of await Promise.all(stuck))
          expect(status).to.be.oneOf([200, 204, 302, 403, 409, 503])
      } finally {
        await direct.query('rollback')
      }
    }

    it('rename it', () => expectOthersServed(den, i => ada.rename(den, `den ${i}`)))

    it('add members', async () => {
      const friends = await Promise.all(Array.from({ length: 15 }, () => somebody(api.url).signUp()))
      await expectOthersServed(den, i => ada.addMember(den, friends[i]!.name))
    })

    it('leave it', () => expectOthersServed(den, () => ada.leave(den)))

    for (const verb of ['end', 'leave', 'join'] as const) {
      it(`${verb} its call`, async () => {
        const response = await ada.postJson('/calls/initiate', { channel: den })
        const { call_id } = (await response.json()) as { call_id: string }
        if (verb === 'join') {
          await direct.query('update calls set started_ts = started_ts - 60 where call_id = $1', [call_id])
        }
        await expectOthersServed(den, () => ada.postForm(`/calls/${call_id}/${verb}`))
      })
    }

    it('sign up', () =>
      expectOthersServed('general', () => {
        const { name } = somebody(api.url)
        const fields = { username: name, password: PASSWORD, confirm_password: PASSWORD }
        return new Person(name, api.url).postForm('/signup', fields)
      }))
  })

  it('PostgreSQL, between storing a picture’s row and the response: everybody who sees the row gets the picture', async () => {
    const direct = new pg.Client(backing.env.DATABASE_URL)
    await direct.connect()
    try {
      const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      // The statement waits for the channel, goes on without its client, and commits.
      await direct.query('begin')
      await direct.query(`select from channels where id = 'general' for update`)
      const answer = ada.sendImages('general', [{ name: 'a.png', bytes }])
      await statementsWaiting(1)
      await postgres.cut()
      expect((await answer).status).to.equal(503)
      await direct.query('commit')
      await postgres.mend()
      const filename = await eventually(async () => {
        const { rows } = await direct.query('select filename from messages where filename is not null')
        expect(rows).to.have.length(1)
        return rows[0].filename as string
      })
      await eventually(async () => expect((await bob.fetch(`/files/${filename}`)).status).to.equal(200))
    } finally {
      await direct.end()
    }
  })
})
