import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type { IncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { runAdmin } from '#shared/test-kit/admin-command.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { closeForGood, deleteForGood } from '../channels/info/delete-for-good.ts'

const ROUNDS = 25

interface Made {
  id: number
  url: string
}

/** ada owns the workspace. */
describe('hooks while their channel, bot and maker change', function () {
  this.timeout(180_000)
  let world: World
  let db: pg.Client
  let janitor: RunningService
  before(async () => {
    world = await newWorld({ apis: 2 })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    janitor = await startService('janitor', world.backing.env)
    await world.ada.postJson('/confirm', { password: PASSWORD })
  })
  after(async () => {
    await janitor.stop()
    await db.end()
    await world.end()
  })

  const newcomer = (api = 0) => somebody(world.api[api]!.url).signUp()
  const makeHook = async (maker: Person, draft: object): Promise<Made> => {
    const response = await maker.postJson('/hooks_in', { name: 'Deploys', ...draft })
    const text = await response.text()
    expect(response.status, text).to.equal(201)
    return JSON.parse(text) as Made
  }
  const post = (url: string, api = 1) =>
    fetch(world.api[api]!.url + new URL(url).pathname, { method: 'POST', body: '{"text":"x"}' })
  const answerOf = async (response: Response) => [response.status, await response.text()]
  const botOf = async (id: number) =>
    (await db.query<{ bot: string }>('select bot from hooks_in where id = $1', [id])).rows[0]!.bot
  const rename = async (from: string, to: string) => {
    expect((await world.ada.postJson(`/admin/people/${from}/rename`, { username: to })).status).to.be.below(
      300,
    )
    await eventually(async () => {
      const { rowCount } = await db.query('select from users where username = $1', [to])
      expect(rowCount).to.equal(1)
    })
  }
  /** Calls it again and again at both processes until `work` ends; returns the statuses. */
  async function during(
    work: Promise<unknown>,
    write: (api: number) => Promise<Response>,
  ): Promise<Set<number>> {
    const statuses = new Set<number>()
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    const loops = Array.from({ length: 4 }, async (_, i) => {
      while (!isOver) statuses.add((await write(i % 2)).status)
    })
    await Promise.all([over, ...loops])
    return statuses
  }

  for (const kind of ['public', 'private'] as const)
    it(`a ${kind} channel takes its hook with it: 410 while it is archived, 404 once it is deleted`, async () => {
      const { ada, bob } = world
      const name = `c${randomUUID()}`
      const channel: ChannelId =
        kind === 'private'
          ? await ada.createPrivateChannel(name, ['bob'])
          : ((await (await ada.postJson('/public_channels', { name })).json()) as { channel: ChannelId })
              .channel
      const { id, url } = await makeHook(ada, { channel })
      const idsFor = async (reader: Person) =>
        (await reader.get<IncomingHookPayload[]>(`/hooks_in?channel=${channel}`)).map(hook => hook.id)
      const archived = await during(ada.postForm(`/channel_info/${channel}/archive`), api => post(url, api))
      expect([200, 410]).to.include.members([...archived])
      expect(await answerOf(await post(url))).to.deep.equal([410, 'channel_is_archived'])
      expect(await idsFor(bob)).to.deep.equal([id])
      for (const refused of [
        await ada.postJson('/hooks_in', { name: 'Late', channel }),
        await ada.patchJson(`/hooks_in/${(await makeHook(ada, { channel: 'general' })).id}`, { channel }),
      ])
        expect(refused.status).to.equal(403)
      expect((await ada.patchJson(`/hooks_in/${id}`, { name: 'Still' })).status).to.equal(204)

      const deletion = runAdmin(world.backing.env, ['delete-channel', channel], async () => channel)
      const deleted = await during(deletion, api => post(url, api))
      expect((await deletion).stdout).to.include('are deleted')
      expect([403, 404, 410]).to.include.members([...deleted])
      expect(await answerOf(await post(url))).to.deep.equal([404, 'no_service'])
      expect((await fetch(world.api[0]!.url + new URL(url).pathname)).status).to.equal(404)
      expect((await ada.patchJson(`/hooks_in/${id}`, { name: 'Gone' })).status).to.equal(404)
      const all = await ada.get<IncomingHookPayload[]>('/hooks_in')
      expect(all.map(hook => hook.channel)).to.not.include(channel)
    })

  it('posts and changes go on while the bot and the maker are renamed, and end with the bot', async () => {
    const kim = await newcomer()
    const den = await kim.createPrivateChannel('den', ['ada'])
    const { id, url } = await makeHook(kim, { channel: den })
    const [bot, maker] = [`b${randomUUID().slice(0, 8)}`, `k${randomUUID().slice(0, 8)}`]
    const renaming = async () => {
      await rename(await botOf(id), bot)
      await rename(kim.name, maker)
    }
    let number = 0
    const statuses = await during(renaming(), api =>
      number++ % 3 === 0
        ? world.ada.patchJson(`/hooks_in/${id}`, { name: `Deploys ${number}` })
        : post(url, api),
    )
    expect([200, 204]).to.include.members([...statuses])
    const hook = (await world.ada.get<IncomingHookPayload[]>('/hooks_in')).find(one => one.id === id)
    expect(hook).to.include({ bot, created_by: maker, last_error: null })

    const ends = async () => {
      const off = await world.ada.postJson(`/admin/people/${maker}/deactivate`, {})
      expect(off.status).to.be.below(300)
      const gone = await world.ada.fetch(`/bots/${bot}`, { method: 'DELETE' })
      expect(gone.status, await gone.text()).to.equal(204)
    }
    const ended = await during(ends(), api => post(url, api))
    expect([200, 403, 404]).to.include.members([...ended])
    expect((await post(url)).status).to.be.within(403, 404)
  })

  it('all writes at once deadlock nowhere', async () => {
    const { ada } = world
    const refusals: string[] = []
    const noted = async (what: string, request: Promise<Response>) => {
      const response = await request
      const text = await response.text()
      if (response.status >= 500) refusals.push(`${what}: ${response.status} ${text}`)
      return text
    }
    for (let round = 0; round < 6; round++) {
      const maker = await newcomer(round % 2)
      const other = await newcomer((round + 1) % 2)
      const [from, to] = await Promise.all(
        ['from', 'to'].map(name => maker.createPrivateChannel(name, ['ada', other.name])),
      )
      const hooks = await Promise.all([0, 1, 2].map(n => makeHook(maker, { channel: from, name: `${n}` })))
      const bot = await botOf(hooks[0]!.id)
      const ids = hooks.map(({ id }) => `/hooks_in/${id}`)
      await ada.patchJson(`/admin/people/${other.name}`, { role: 'admin' })
      await maker.postJson('/confirm', { password: PASSWORD })
      const writes: [string, () => Promise<Response>][] = [
        ...hooks.flatMap(({ url }, i): [string, () => Promise<Response>][] => [
          ['post', () => post(url, i % 2)],
          ['get', () => fetch(world.api[i % 2]!.url + new URL(url).pathname)],
        ]),
        ['make', () => other.postJson('/hooks_in', { name: 'More', channel: from })],
        ['make', () => maker.postJson('/hooks_in', { name: 'Own', channel: to, bot })],
        [
          'make out',
          () =>
            maker.postJson('/hooks_out', {
              name: 'Out',
              url: 'https://a.example/',
              events: ['message.created'],
              bot,
            }),
        ],
        ['move', () => maker.patchJson(ids[0]!, { channel: to })],
        ['move', () => ada.patchJson(ids[1]!, { channel: to })],
        ['move', () => other.patchJson(ids[2]!, { channel: to, may_mention_everyone: true })],
        ['back', () => ada.patchJson(ids[0]!, { channel: from })],
        ['address', () => other.postJson(`${ids[1]}/new_token`, {})],
        ['secret', () => ada.postJson(`${ids[2]}/sign_secret`, {})],
        ['remove', () => other.fetch(ids[1]!, { method: 'DELETE' })],
        [
          'rename bot',
          () => ada.postJson(`/admin/people/${bot}/rename`, { username: `r${randomUUID().slice(0, 8)}` }),
        ],
        [
          'rename maker',
          () =>
            ada.postJson(`/admin/people/${maker.name}/rename`, { username: `m${randomUUID().slice(0, 8)}` }),
        ],
        ['demote', () => ada.patchJson(`/admin/people/${other.name}`, { role: 'member' })],
        ['deactivate', () => ada.postJson(`/admin/people/${maker.name}/deactivate`, {})],
        ['archive', () => ada.postForm(`/channel_info/${from}/archive`)],
      ]
      const deletion = runAdmin(world.backing.env, ['delete-channel', from!], async () => from!)
      await Promise.all([
        deletion,
        ...writes.map(async ([what, write], i) => {
          for (let n = 0; n < 4; n++) {
            await new Promise(resolve => setImmediate(resolve, i))
            await noted(what, write())
          }
        }),
      ])
    }
    expect(refusals).to.deep.equal([])
    for (const api of world.api) expect(api.output()).to.not.include('deadlock')
  })

  /* A transaction that waits for another one's lock in a circle is ended by PostgreSQL: 503, or a deletion that fails. */
  describe('and locks of hooks and channels are taken in the same order', () => {
    let stores: OpenStores
    let blocker: pg.Client
    before(async () => {
      const { env } = world.backing
      blocker = new pg.Client(env.DATABASE_URL)
      await blocker.connect()
      stores = await storesOf(world.backing)
      await world.ada.postJson('/confirm', { password: PASSWORD })
      await world.ada.patchJson('/admin/people/bob', { role: 'owner' })
      await world.bob.postJson('/confirm', { password: PASSWORD })
    })
    afterEach(() => blocker.query('rollback'))
    after(async () => {
      await blocker.end()
      await stores.stop()
    })

    const makeChannel = async (kind: 'public' | 'private', ...members: Person[]): Promise<ChannelId> => {
      const name = `c${randomUUID()}`
      if (kind === 'private')
        return world.ada.createPrivateChannel(
          name,
          members.map(member => member.name),
        )
      const made = await world.ada.postJson('/public_channels', { name })
      return ((await made.json()) as { channel: ChannelId }).channel
    }
    const move = ({ id }: Made, channel: ChannelId, mover: Person) =>
      mover.patchJson(`/hooks_in/${id}`, { channel })
    const archive = async (channel: ChannelId) =>
      expect((await world.ada.postForm(`/channel_info/${channel}/archive`)).status).to.equal(204)
    const waiting = async () =>
      (
        await db.query(
          `select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
        )
      ).rowCount!
    /** Starts it, and returns once it waits for a lock too, or is over. */
    async function held<T>(start: () => Promise<T>): Promise<{ end: Promise<T> }> {
      const before = await waiting()
      let isOver = false
      const end = start().finally(() => {
        isOver = true
      })
      end.catch(() => undefined)
      await eventually(async () => expect(isOver || (await waiting()) > before).to.equal(true))
      return { end }
    }
    const hooksIn = async (...channels: ChannelId[]) =>
      (await db.query('select from hooks_in where channel = any($1)', [channels])).rowCount

    it('two hooks move into each other’s channel while both are deleted: the channels take them along', async () => {
      const { ada, bob } = world
      const [a, b] = [await makeChannel('public'), await makeChannel('public')]
      const [ofAda, ofBob] = [await makeHook(ada, { channel: a }), await makeHook(bob, { channel: b })]
      for (const channel of [a, b]) {
        await archive(channel)
        expect(await closeForGood(stores, channel)).to.equal('yes')
      }
      // Deletions hold their channel, and wait before they come to its hooks.
      await blocker.query('begin')
      await blocker.query('select from channel_properties where channel = any($1) for update', [[a, b]])
      const deletions = [
        await held(() => deleteForGood(stores, a)),
        await held(() => deleteForGood(stores, b)),
      ]
      const moves = [await held(() => move(ofAda, b, ada)), await held(() => move(ofBob, a, bob))]
      await blocker.query('commit')
      await Promise.all(deletions.map(({ end }) => end))
      for (const { end } of moves) expect((await end).status).to.equal(404)
      expect(await hooksIn(a, b)).to.equal(0)
    })

    it('a hook moves into a channel that is deleted while its maker, a member there, is deleted', async () => {
      const { ada, bob } = world
      // Memberships are locked in the order of names: before ada's.
      const maker = await new Person(`aa-${randomUUID().slice(0, 8)}`, world.api[1]!.url).signUp()
      const [from, to] = [await makeChannel('private', maker), await makeChannel('private', maker)]
      const hook = await makeHook(maker, { channel: from })
      // The deletion of its owner waits for the account of a bot.
      const given = await ada.patchJson(`/bots/${await botOf(hook.id)}`, { owner: 'bob' })
      expect(given.status).to.equal(204)
      await archive(to)
      await blocker.query('begin')
      await blocker.query(
        `select from private_channel_members
          where 'private:' || channel_id = $1 and username = 'ada'
            for key share`,
        [to],
      )
      const closing = await held(() => closeForGood(stores, to))
      const deletion = await held(() => bob.postJson(`/admin/people/${maker.name}/delete`, { type: 'soft' }))
      // The deletion waits for a membership, without a hook.
      expect((await move(hook, to, ada)).status).to.equal(403)
      await blocker.query('commit')
      expect(await closing.end).to.equal('yes')
      expect((await deletion.end).status).to.equal(204)
      await deleteForGood(stores, to)
      expect([await hooksIn(from), await hooksIn(to)]).to.deep.equal([1, 0])
    })

    it('an outgoing hook gets another list of channels while one of them is deleted: it loses that one', async () => {
      const { ada } = world
      const channel = await makeChannel('public')
      const first = await makeHook(ada, { channel })
      const draft = { name: 'Out', url: 'https://a.example/', events: ['message.created'] }
      const made = await ada.postJson('/hooks_out', { ...draft, channels: [channel] })
      const { id } = (await made.json()) as Made
      await archive(channel)
      expect(await closeForGood(stores, channel)).to.equal('yes')
      await blocker.query('begin')
      await blocker.query('select from hooks_in where id = $1 for update', [first.id])
      const deletion = await held(() => deleteForGood(stores, channel))
      const change = await held(() => ada.patchJson(`/hooks_out/${id}`, { channels: ['general', channel] }))
      await blocker.query('commit')
      await deletion.end
      expect((await change.end).status).to.equal(400)
      const { rows } = await db.query('select channels from hooks_out where id = $1', [id])
      expect(rows).to.deep.equal([{ channels: [] }])
    })

    it('an outgoing hook is made while its maker and its new bot are renamed: it follows both, and hears', async () => {
      const { ada } = world
      for (let round = 0; round < 4; round++) {
        const maker = await newcomer(round % 2)
        await maker.postJson('/confirm', { password: PASSWORD })
        const channel = await makeChannel('public')
        const [name, bot, owner] = ['h', 'b', 'o'].map(letter => letter + randomUUID().slice(0, 8)) as [
          string,
          string,
          string,
        ]
        const draft = { name, url: 'https://a.example/', events: ['message.created'], channels: [channel] }
        await blocker.query('begin')
        await blocker.query('select from channels where id = $1 for update', [channel])
        // Its bot is there, and not seen yet.
        const making = await held(() => maker.postJson('/hooks_out', draft))
        const renaming = await held(() => rename(maker.name, owner))
        const renameBot = () => ada.postJson(`/admin/people/${name}-hook/rename`, { username: bot })
        expect((await renameBot()).status).to.equal(404)
        const first = eventually(async () => expect((await renameBot()).status).to.equal(202))
        await blocker.query('commit')
        expect((await making.end).status).to.equal(201)
        await Promise.all([first, renaming.end])
        const hook = async () =>
          (
            await db.query(
              `select hook.id, hook.bot, bot.bot_owner, created_by, active
                 from hooks_out hook
                 join users bot on bot.username = hook.bot
                where name = $1`,
              [name],
            )
          ).rows[0]
        await eventually(async () =>
          expect(await hook()).to.include({ bot, bot_owner: owner, created_by: owner, active: true }),
        )
        await ada.send(channel, 'after the renaming')
        const { id } = await hook()
        await eventually(async () =>
          expect((await db.query('select from deliveries where target_id = $1', [id])).rowCount).to.equal(1),
        )
      }
      for (const api of world.api) expect(api.output()).to.not.include('deadlock')
    })

    for (const kind of ['public', 'private'] as const)
      it(`hooks move between two ${kind} channels that are archived, brought back and deleted`, async () => {
        const { ada, bob } = world
        const failures: string[] = []
        const noted = async (what: string, write: Promise<Response>) => {
          const response = await write
          if (response.status >= 500) failures.push(`${what}: ${response.status} ${await response.text()}`)
          return response
        }
        const bots: [Person, string][] = []
        for (const maker of [ada, bob, ada, bob])
          bots.push([maker, await botOf((await makeHook(maker, { channel: 'general' })).id)])
        for (let round = 0; round < ROUNDS; round++) {
          const channels = [await makeChannel(kind, bob), await makeChannel(kind, bob)] as const
          const hooks = await Promise.all(
            bots.map(([maker, bot], i) =>
              makeHook(maker, { channel: channels[i % 2]!, name: `${round}-${i}`, bot }),
            ),
          )
          let isOver = false
          const moves = hooks.map(async (hook, i) => {
            for (let n = i + 1; !isOver; n++)
              await noted('move', move(hook, channels[n % 2]!, [ada, bob][(n >> 1) % 2]!))
          })
          const deletions = channels.map(async channel => {
            for (const act of ['archive', 'unarchive', 'archive'])
              await noted(act, ada.postForm(`/channel_info/${channel}/${act}`))
            expect(await closeForGood(stores, channel)).to.equal('yes')
            await deleteForGood(stores, channel)
          })
          await Promise.all(deletions).finally(() => {
            isOver = true
          })
          await Promise.all(moves)
          expect(await hooksIn(...channels)).to.equal(0)
        }
        expect(failures).to.deep.equal([])
        for (const api of world.api) expect(api.output()).to.not.include('deadlock')
      })
  })
})
