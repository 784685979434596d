import { expect } from 'chai'
import { EXTRA_EVENTS } from '#shared/domain/deltas.ts'
import type { DmPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const OPERATIONS = 200

describe('the sidebar and the lists of the interface (interface 12.2)', () => {
  let world: World
  let gateway: RunningService
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'random'] } })
    gateway = await startService('events', world.backing.env)
  })
  after(async () => {
    await gateway.stop()
    await world.end()
  })

  /** A repeatable sequence of numbers below `below`. */
  function numbers(seed: number) {
    let state = seed
    return (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
  }

  async function listsOf(person: Person) {
    const [sidebar, open, closed, direct] = await Promise.all([
      person.get<SidebarPayload>('/sidebar'),
      person.get<Record<string, number>>('/channel_unreads'),
      person.get<PrivateChannelPayload[]>('/private_channels'),
      person.get<DmPayload[]>('/dms'),
    ])
    const counted = [...Object.keys(open), ...[...closed, ...direct].map(({ channel }) => channel)]
    expect(sidebar.channels.map(({ channel }) => channel)).to.have.members(counted)
    expect(await person.get('/channels')).to.deep.equal(Object.keys(open))
    return { sidebar, open, closed, direct }
  }

  async function checkFrames(person: Person, tab: Tab) {
    const { sidebar, open, closed, direct } = await listsOf(person)
    await tab.waitFor(
      () =>
        tab.lastText('channel_unreads') === JSON.stringify(open) &&
        tab.lastText('private_channels') === JSON.stringify(closed) &&
        tab.lastText('dms') === JSON.stringify(direct) &&
        tab.lastText('sidebar') === JSON.stringify(sidebar),
    )
  }

  it('list the same channels over 200 random operations, also in frames of merged parts', async function () {
    this.timeout(300_000)
    const { ada, bob, cleo } = world
    const people = [ada, bob, cleo]
    const tabs: [Person, Tab][] = []
    for (const [person, channel] of [
      [bob, 'general'],
      [bob, 'dm:ada:bob'],
      [cleo, 'random'],
    ] as const)
      tabs.push([person, await openTab(gateway.url, person.cookie, { channel, deltas: EXTRA_EVENTS })])
    const pick = numbers(7)
    const of = <T>(list: readonly T[]): T => list[pick(list.length)]!
    const open = ['general', 'random']
    const closed: string[] = []
    const conversations = ['dm:ada:bob', 'dm:bob:cleo', 'dm:ada:bob:cleo']
    const operations: (() => Promise<unknown>)[] = [
      async () => {
        const id = `c${open.length}`
        const made = await of(people).postJson('/public_channels', { name: id })
        if (made.status === 201) open.push(id)
      },
      async () => closed.push(await of(people).createPrivateChannel('den', ['bob'])),
      () => of(people).postForm(`/public_channels/${of(open)}/join`),
      () => bob.postForm(`/public_channels/${of(open)}/leave`),
      () => of(people).postForm(`/send/${of(open)}`, { text: 'hello @everyone' }),
      () => of(people).postForm(`/send/${of(conversations)}`, { text: 'hello' }),
      () => bob.postJson('/dms/close', { channel: of(conversations) }),
      () => of(people).postForm(`/channel_info/${of([...open, ...closed])}/archive`),
      () => of(people).postForm(`/channel_info/${of([...open, ...closed])}/unarchive`),
      () => of(people).postJson(`/public_channels/${of(open)}/add`, { usernames: ['bob'] }),
      () => of(people).postJson(`/public_channels/${of(open)}/remove`, { username: 'bob' }),
      () => bob.markRead(of(open)),
      async () => closed.length > 0 && of(people).addMember(of(closed), 'bob'),
      async () => closed.length > 0 && bob.leave(of(closed)),
      () => bob.mute(of([...open, ...conversations]), { level: of(['all', 'default']), favourite: true }),
    ]
    for (let step = 1; step <= OPERATIONS; step++) {
      await of(operations)()
      await Promise.all([bob, cleo].map(listsOf))
      if (step % 10 === 0) await Promise.all(tabs.map(([person, tab]) => checkFrames(person, tab)))
    }
    for (const [, tab] of tabs) tab.close()
  })
})
