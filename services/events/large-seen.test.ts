import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { MOST_RECEIPTS, type SeenCounts } from '#shared/domain/deltas.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('frames of readers in a channel of more than fifty', () => {
  let world: World
  let gateways: RunningService[]
  const tabs: Tab[] = []

  before(async () => {
    world = await newWorld()
    await world.backing.admin(
      `insert into users (username, password_hash, created_ts)
       select 'colleague-' || i, 'none', 0 from generate_series(1, ${MOST_RECEIPTS + 5}) i`,
    )
    gateways = await Promise.all([0, 1].map(() => startService('events', world.backing.env)))
  })

  after(async () => {
    for (const tab of tabs) tab.close()
    await Promise.all(gateways.map(gateway => gateway.stop()))
    await world.end()
  })

  const open = async (gateway: RunningService, known = '') => {
    const tab = await openTab(gateway.url, world.ada.cookie, { channel: 'general', deltas: ['seen'], known })
    tabs.push(tab)
    return tab
  }
  const last = (tab: Tab): SeenCounts | undefined => {
    const text = tab.lastText('seen')
    return text === undefined ? undefined : JSON.parse(text)
  }

  it('count the readers of each message, agree between gateways and with GET /seen, and are not repeated', async () => {
    const { ada, bob, cleo } = world
    const id = await ada.send('general', 'who has read this')
    const first = await open(gateways[0]!)
    for (const [i, reader] of [bob, cleo].entries()) {
      await reader.markRead('general')
      await eventually(() => {
        const counted = last(first)?.messages.find(message => message.id === id)
        expect(counted?.count).to.equal(i + 1)
        expect(counted?.names).to.include(reader.name)
      })
    }
    const { hash, messages } = last(first)!
    const page = (await ada.get(`/seen/${id}`)) as { count: number; names: string[] }
    const counted = messages.find(message => message.id === id)!
    expect({ count: counted.count, names: [...counted.names].sort() }).to.deep.equal({
      count: page.count,
      names: [...page.names].sort(),
    })

    const other = await open(gateways[1]!)
    await eventually(() => expect(last(other)).to.deep.equal(last(first)))

    const again = await open(gateways[1]!, `seen:${hash}`)
    await again.waitFor(() => again.lastText('mentions'))
    await pause(300)
    expect(again.events()).to.not.include('seen')

    await world.mallory.markRead('general')
    for (const tab of [first, other, again])
      await eventually(() =>
        expect(last(tab)?.messages.find(message => message.id === id)?.count).to.equal(3),
      )
  })
})
