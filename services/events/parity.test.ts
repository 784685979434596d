import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { EventName } from '#shared/rules/payloads.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Interface 6: each payload equals the response of the listed endpoint. */
const ENDPOINTS: Record<Exclude<EventName, 'messages'>, (channel: string) => string> = {
  typing: channel => `/typing/${channel}`,
  read_receipts: channel => `/read_receipts/${channel}`,
  screenshares: channel => `/screenshare/active?channel=${channel}`,
  online_users: () => '/online_users',
  dms: () => '/dms',
  channel_unreads: () => '/channel_unreads',
  private_channels: () => '/private_channels',
  mentions: () => '/mentions',
  unread_count: () => '/unread_count',
  incoming_calls: () => '/calls/incoming',
}

describe('a frame and its endpoint', () => {
  let world: World
  let gateway: RunningService
  const tabs: { person: Person; channel: string; tab: Tab }[] = []

  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'random'] } })
    gateway = await startService('events', world.backing.env)
    const { ada, bob, cleo, mallory } = world
    for (const [person, channel] of [
      [ada, 'general'],
      [ada, 'dm:ada:bob'],
      [bob, 'general'],
      [bob, 'dm:ada:bob'],
      [bob, 'dm:ada:bob:cleo'],
      [cleo, 'random'],
      [mallory, 'general'],
    ] as const) {
      tabs.push({ person, channel, tab: await openTab(gateway.url, person.cookie, { channel }) })
    }
  })

  after(async () => {
    for (const { tab } of tabs) tab.close()
    await gateway.stop()
    await world.end()
  })

  /** Until every last frame is what its endpoint answers; the reason if that does not come to be. */
  async function agree() {
    let differences: string[] = []
    for (const until = Date.now() + 4_000; Date.now() < until; await pause(100)) {
      differences = (await Promise.all(tabs.map(differencesOf))).flat()
      if (differences.length === 0) return
    }
    expect.fail(differences.join('\n'))
  }

  async function differencesOf({ person, channel, tab }: (typeof tabs)[number]) {
    const differences: string[] = []
    for (const [event, path] of Object.entries(ENDPOINTS)) {
      const response = await person.fetch(path(channel))
      // An area that is not built yet has neither.
      if (response.status === 404) continue
      const body = await response.text()
      const shown = tab.lastText(event as EventName)
      if (shown !== body)
        differences.push(`${person.name} in ${channel}, ${event}: ${shown} instead of ${body}`)
    }
    const rows = await person.messages(channel)
    const seen = new Map(tab.rows().map(row => [row.id, row]))
    const shown = [...seen.values()].sort((a, b) => a.ts - b.ts || a.id - b.id)
    if (JSON.stringify(shown) !== JSON.stringify(rows)) {
      differences.push(
        `${person.name} in ${channel}, messages: ${shown.length} rows, ${rows.length} in the answer`,
      )
    }
    return differences
  }

  it('say the same when a stream begins', agree)

  it('say the same after messages', async () => {
    const { ada, bob, cleo } = world
    await ada.send('general', 'good morning @everyone, and @bob')
    await bob.send('random', '@cleo «quotes» "and" \\ \u2028 😀 </script>')
    await cleo.send('general', 'morning')
    await agree()
  })

  it('say the same after direct messages', async () => {
    const { ada, bob, cleo } = world
    await ada.send('dm:ada:bob', 'only you')
    await ada.send('dm:bob:ada', 'and again @bob')
    await cleo.send('dm:cleo:ada:bob', 'the three of us')
    await bob.send('dm:ada:bob', 'hello')
    await agree()
  })

  it('say the same after edits, reactions, replies and deletions', async () => {
    const { ada, bob, cleo } = world
    const id = await ada.send('general', 'tpyo @cleo')
    await ada.edit(id, 'typo @mallory')
    await bob.react(id, 'thumbsup')
    await cleo.react(id, 'thumbsup')
    await cleo.react(id, 'heart')
    await cleo.react(id, 'heart')
    const reply = await bob.send('general', 'I saw that', { reply_to_id: String(id) })
    await agree()
    await ada.delete(id)
    await bob.delete(reply)
    await agree()
  })

  it('say the same while people type and when they stop', async () => {
    const { ada, bob } = world
    await bob.fetch('/typing/general', { method: 'POST' })
    await ada.fetch('/typing/dm:ada:bob', { method: 'POST' })
    await agree()
    await bob.send('general', 'done')
    await agree()
  })

  it('say the same as people come, go idle, hide and leave', async () => {
    const { ada, bob, cleo } = world
    await ada.postJson('/presence', { state: 'active' })
    await bob.postJson('/presence', { state: 'idle' })
    await cleo.postJson('/presence', { state: 'hidden' })
    await agree()
    await ada.postJson('/presence/override', { override: 'offline' })
    await bob.postJson('/presence/override', { override: 'active' })
    await cleo.postJson('/presence', { state: 'offline' })
    await agree()
  })

  it('say the same after reading', async () => {
    const { ada, bob, cleo } = world
    await bob.markRead('general')
    await bob.markRead('dm:ada:bob')
    await cleo.markRead('random')
    await ada.markRead('dm:ada:bob:cleo')
    await agree()
  })

  it('say the same after a DM is closed and comes back', async () => {
    const { ada, bob } = world
    await bob.postForm('/dms/close', { channel: 'dm:ada:bob' })
    await agree()
    await ada.send('dm:ada:bob', 'still there?')
    await agree()
  })
})
