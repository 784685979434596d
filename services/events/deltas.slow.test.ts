import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { DELTA_NAMES, EXTRA_EVENTS, hashOf } from '#shared/domain/deltas.ts'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { DeltaTab } from '#shared/test-kit/delta-tab.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('frames of changes', () => {
  let world: World
  let gateways: [RunningService, RunningService]
  let den: string
  const tabs: DeltaTab[] = []

  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'random', 'support'] } })
    gateways = [
      await startService('events', world.backing.env),
      await startService('events', world.backing.env),
    ]
    const { ada, bob, cleo, mallory } = world
    den = await world.privateChannel('den', [ada, bob])
    for (const [person, channel] of [
      [ada, 'general'],
      [bob, den],
      [cleo, 'random'],
      [mallory, 'general'],
      [bob, 'dm:ada:bob'],
    ] as const) {
      tabs.push(await new DeltaTab(person, channel).open(gateways[tabs.length % 2 ? 1 : 0]))
    }
  })

  after(async () => {
    for (const { tab } of tabs) tab.close()
    await Promise.all(gateways.map(gateway => gateway.stop()))
    await world.end()
  })

  async function agree(some = tabs) {
    await eventually(async () => {
      const differences = await Promise.all(some.map(tab => tab.differences()))
      expect(differences.flat()).to.deep.equal([])
    })
  }

  it('take the place of the events of the interface', async () => {
    await agree()
    for (const { tab } of tabs) {
      const events = new Set<string>(tab.events())
      for (const name of DELTA_NAMES) expect(events.has(name), name).to.equal(true)
      for (const name of ['online_users', 'read_receipts', 'channel_unreads', 'private_channels', 'dms']) {
        expect(events.has(name), name).to.equal(false)
      }
      expect(events.has('mentions')).to.equal(true)
    }
  })

  it('equal the collections after messages, direct messages and reading', async () => {
    const { ada, bob, cleo } = world
    await ada.send('general', 'good morning @everyone')
    await bob.send('random', 'hello')
    await ada.send('dm:ada:bob', 'only you')
    await cleo.send('dm:ada:bob:cleo', 'the three of us')
    await bob.send(den, 'quiet in here')
    await agree()
    await cleo.markRead('general')
    await bob.markRead('dm:ada:bob')
    await ada.markRead(den)
    await agree()
    await bob.postJson('/dms/close', { channel: 'dm:ada:bob:cleo' })
    await agree()
  })

  it('equal the collections as people come, go idle and leave', async () => {
    const { ada, bob, cleo } = world
    await ada.postJson('/presence', { state: 'active' })
    await bob.postJson('/presence', { state: 'idle' })
    await agree()
    await cleo.postJson('/presence', { state: 'active' })
    await ada.postJson('/presence/override', { override: 'offline' })
    await agree()
  })

  it('contain only the changes', async () => {
    const { ada, mallory } = world
    const tab = await new DeltaTab(mallory, 'support').open(gateways[0])
    tabs.push(tab)
    await agree()
    await ada.send('support', 'one more')
    await agree()
    expect(tab.frames('counts').at(-1)).to.deep.include({ set: { support: 1 } })
    expect(tab.frames('counts').at(-1)).to.not.have.property('full')
    await mallory.markRead('support')
    await agree()
    expect(tab.frames('counts').at(-1)).to.deep.include({ set: { support: 0 } })
    const seen = tab.frames('seen').at(-1)!
    expect('set' in seen && Object.keys(seen.set!)).to.deep.equal(['mallory'])
  })

  it('equal the collections for a viewer who is added to a channel and removed from it', async () => {
    const { ada, cleo } = world
    await ada.addMember(den, 'cleo')
    await agree()
    const tab = tabs.find(({ person }) => person === cleo)!
    expect(tab.lists!.entries).to.have.property(den)
    await ada.rename(den, 'burrow')
    await ada.send(den, 'welcome')
    await agree()
    await cleo.leave(den)
    await agree()
    expect(tab.frames('lists').at(-1)).to.deep.include({ gone: [den] })
    await ada.send(den, 'she is gone')
    await agree()
    expect(tab.lists!.entries).to.not.have.property(den)
  })

  it('equal the collections after notices were lost', async () => {
    const redis = new Redis(world.backing.env.REDIS_URL)
    const key = keysWith(world.backing.env.REDIS_PREFIX).notices()
    try {
      // The gateway notices the gap whether or not it has read the notices before.
      await Promise.all([world.bob.send('random', 'in the dark'), world.ada.send('dm:ada:bob', 'psst')])
      await redis.del(key)
      await world.bob.send('random', 'light again')
      await agree()
    } finally {
      redis.disconnect()
    }
  })

  describe('that a tab knows', () => {
    const OPENING = [...DELTA_NAMES, 'mentions']

    async function settled(tab: DeltaTab) {
      // Presence is gathered for two seconds and comes last.
      await tab.tab.waitFor(({ raw }) => raw.includes('event: incoming_calls') || undefined)
      await pause(300)
      await agree([tab])
    }

    it('are not sent when the same stream opens again, there or at another gateway', async () => {
      const tab = await new DeltaTab(world.ada, 'general').open(gateways[0])
      await settled(tab)
      for (const gateway of gateways) {
        tab.close()
        await tab.open(gateway)
        await settled(tab)
        expect(tab.tab.events().filter(event => OPENING.includes(event))).to.deep.equal([])
      }
      tab.close()
    })

    it('are sent only for the channel when the tab opens another channel', async () => {
      const tab = await new DeltaTab(world.ada, 'general').open(gateways[0])
      await settled(tab)
      tab.close()
      await tab.open(gateways[1], 'support')
      await settled(tab)
      expect(tab.tab.events().filter(event => OPENING.includes(event))).to.deep.equal(['seen'])
      expect(tab.frames('seen')[0]).to.have.property('full')
      tab.close()
    })

    it('are sent as changes when they have changed meanwhile', async () => {
      const tab = await new DeltaTab(world.cleo, 'general').open(gateways[0])
      await settled(tab)
      tab.close()
      await world.bob.send('random', 'while nobody looked')
      await world.bob.send('dm:bob:cleo', 'hello')
      await tab.open(gateways[0])
      await agree([tab])
      expect(tab.frames('counts')[0]).to.have.property('set')
      expect(tab.frames('lists')[0]).to.not.have.property('full')
      expect(tab.frames('lists')[0]!.set!.map(({ channel }) => channel)).to.deep.equal(['dm:bob:cleo'])
      tab.close()
    })

    it('are sent in full by a gateway that does not remember them', async () => {
      const tab = await new DeltaTab(world.cleo, 'general').open(gateways[0])
      await settled(tab)
      tab.close()
      tab.hashes.set('counts', '0123456789abcdef')
      await tab.open(gateways[0])
      await settled(tab)
      expect(tab.frames('counts')[0]).to.have.property('full')
      tab.close()
    })

    it('are ignored when malformed, and beyond the sixteenth', async () => {
      const known = `counts,counts:,x:${'0'.repeat(17)},${'mentions:zz,'.repeat(20)}`
      const tab = await openTab(gateways[0].url, world.cleo.cookie, { known, deltas: ['counts'] })
      await tab.waitFor(() => tab.lastText('counts'))
      await tab.waitFor(() => tab.lastText('dms'))
      await tab.waitFor(() => tab.lastText('mentions'))
      tab.close()
    })

    it('may be events of the interface', async () => {
      const tab = await openTab(gateways[0].url, world.cleo.cookie, { channel: 'general' })
      const events = ['dms', 'typing', 'incoming_calls', 'online_users'] as const
      await tab.waitFor(() => events.every(event => tab.lastText(event)))
      const known = events.map(event => `${event}:${hashOf(tab.lastText(event)!)}`).join()
      tab.close()
      const next = await openTab(gateways[1].url, world.cleo.cookie, { channel: 'general', known })
      await next.waitFor(() => next.lastText('mentions') && next.lastText('channel_unreads'))
      await pause(300)
      expect(next.events()).to.not.include.members(['dms'])
      expect(next.events()).to.not.include.members(['typing'])
      expect(next.events()).to.not.include.members(['incoming_calls'])
      await world.ada.fetch('/typing/general', { method: 'POST' })
      await next.waitFor(() => next.lastText('typing') === '["ada"]')
      next.close()
    })

    it('may be whole payloads, of which only the changed ones are sent', async () => {
      const { bob, cleo } = world
      const named = ['mentions', 'sidebar', 'inbox', 'workspace', 'me']
      const texts = await Promise.all(named.map(async event => (await cleo.fetch(`/${event}`)).text()))
      const known = named.map((event, i) => `${event}:${hashOf(texts[i]!)}`).join()
      await cleo.mute('random', { muted_for_minutes: -1 })
      const tab = await openTab(gateways[1].url, cleo.cookie, {
        channel: 'support',
        deltas: [...DELTA_NAMES, ...EXTRA_EVENTS],
        known,
      })
      await tab.waitFor(() => tab.lastText('sidebar') && tab.lastText('people'))
      await bob.send('general', '@cleo the gauge is back')
      await tab.waitFor(() => tab.lastText('inbox') && tab.lastText('mentions'))
      const first = (event: 'inbox' | 'mentions' | 'sidebar') => tab.framesOf(event)[0]!.data
      expect(first('inbox')).to.include('the gauge is back')
      expect(first('mentions')).to.include('the gauge is back')
      const { channels } = JSON.parse(first('sidebar')) as SidebarPayload
      expect(channels.find(({ channel }) => channel === 'random')?.muted_until).to.not.equal(null)
      expect(tab.events()).to.not.include.oneOf(['me', 'workspace'])
      tab.close()
    })
  })
})
