import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { EXTRA_EVENTS } from '#shared/domain/deltas.ts'
import { byTime } from '#shared/domain/message-rows.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import type { PeopleChangesPayload } from '#shared/domain/payloads/people.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
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
  sidebar: () => '/sidebar',
  inbox: () => '/inbox',
  running_calls: () => '/running_calls',
  workspace: () => '/workspace',
  me: () => '/me',
  channel_info: channel => `/channel_info/${channel}`,
  people: () => '/people_changes',
}

/** A frame may have changes that the endpoint lists no longer. */
function hasPeopleOf(shown: string | undefined, body: string): boolean {
  if (shown === undefined) return false
  const [frame, { people, gone, from_rev, ...same }] = [shown, body].map(
    text => JSON.parse(text) as PeopleChangesPayload,
  ) as [PeopleChangesPayload, PeopleChangesPayload]
  const has = new Set([...frame.people, ...frame.gone].map(one => JSON.stringify(one)))
  return (
    frame.from_rev <= from_rev &&
    frame.rev === same.rev &&
    frame.groups_rev === same.groups_rev &&
    [...people, ...gone].every(one => has.has(JSON.stringify(one)))
  )
}

describe('a frame and its endpoint (interface 6)', () => {
  let world: World
  let gateway: RunningService
  let den: { id: number; channel: string }
  const tabs: { person: Person; channel: string; tab: Tab }[] = []

  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'random'] } })
    gateway = await startService('events', world.backing.env)
    const { ada, bob, cleo, mallory } = world
    const created = await ada.postJson('/private_channels/create', { name: 'den', members: ['bob'] })
    den = (await created.json()) as typeof den
    for (const [person, channel] of [
      [ada, den.channel],
      [bob, den.channel],
      [ada, 'general'],
      [ada, 'dm:ada:bob'],
      [bob, 'general'],
      [bob, 'dm:ada:bob'],
      [bob, 'dm:ada:bob:cleo'],
      [cleo, 'random'],
      [mallory, 'general'],
    ] as const) {
      tabs.push({
        person,
        channel,
        tab: await openTab(gateway.url, person.cookie, { channel, deltas: EXTRA_EVENTS }),
      })
    }
  })

  after(async () => {
    for (const { tab } of tabs) tab.close()
    await gateway.stop()
    await world.end()
  })

  /** Waits until each last frame equals the response of its endpoint; fails with the difference. */
  async function agree() {
    let differences: string[] = []
    for (const until = Date.now() + 15_000; Date.now() < until; await pause(100)) {
      differences = (await Promise.all(tabs.map(differencesOf))).flat()
      if (differences.length === 0) return
    }
    expect.fail(differences.join('\n'))
  }

  async function differencesOf({ person, channel, tab }: (typeof tabs)[number]) {
    const differences: string[] = []
    for (const [event, path] of Object.entries(ENDPOINTS)) {
      const body = await (await person.fetch(path(channel))).text()
      const shown = tab.lastText(event as EventName)
      const isSame = event === 'people' ? hasPeopleOf(shown, body) : shown === body
      if (!isSame) differences.push(`${person.name} in ${channel}, ${event}: ${shown} instead of ${body}`)
    }
    const rows = await person.messages(channel)
    const seen = new Map(tab.rows().map(row => [row.id, row]))
    const shown = [...seen.values()].sort(byTime)
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

  it('say the same after messages are marked as unread, muted and all read', async () => {
    const { ada, bob, cleo } = world
    const [first, second] = [await ada.send('dm:ada:bob', 'one'), await ada.send('general', 'two @bob')]
    await bob.markRead('general')
    await bob.markUnread('general', second)
    await bob.markRead('dm:ada:bob')
    await bob.markUnread('dm:ada:bob', first)
    await bob.mute('general', { muted_for_minutes: -1 })
    await cleo.mute('random', { muted_for_minutes: 10 })
    await agree()
    expect(lastOf(bob, 'sidebar')).to.include('"muted_until":"forever"')
    await bob.send('dm:ada:bob', 'which ends the mark')
    await agree()
    await bob.postForm('/mark_all_read')
    await agree()
  })

  it('say the same when a mute ends, without a write', async () => {
    const { ada } = world
    await ada.mute('random', { muted_until: Date.now() / 1_000 + 10 })
    await agree()
    expect(lastOf(ada, 'sidebar')).to.match(/"muted_until":\d/)
    await eventually(() => expect(lastOf(ada, 'sidebar')).to.not.match(/"muted_until":\d/), 30_000)
    await agree()
  })

  it('say the same after replies and reactions, and after items of the inbox are read', async () => {
    const { ada, bob, cleo } = world
    const id = await ada.send('general', 'who comes along?')
    const reply = await bob.send('general', 'me', { reply_to_id: String(id) })
    await cleo.react(id, 'tada')
    await bob.react(id, 'tada')
    await agree()
    expect(lastOf(ada, 'inbox')).to.include('"kind":"reply"').and.include('"kind":"reaction"')
    await bob.edit(reply, 'me too')
    await cleo.react(id, 'tada')
    await agree()
    expect(lastOf(ada, 'inbox')).to.include('me too')
    await ada.postJson('/inbox/read', { upto: Date.now() / 1_000 + 1 })
    await agree()
    expect(lastOf(ada, 'inbox')).to.include('"unread":0')
    await bob.delete(reply)
    await ada.delete(id)
    await agree()
  })

  it('say the same after pinning, unpinning and deleting a pinned message', async () => {
    const { ada, bob, cleo } = world
    const [first, second] = [await ada.send('general', 'keep this'), await bob.send('general', 'and this')]
    for (const id of [first, second]) await cleo.fetch(`/pin/${id}`, { method: 'PUT' })
    await agree()
    await ada.fetch(`/pin/${first}`, { method: 'DELETE' })
    await bob.delete(second)
    await agree()
  })

  it('say the same after messages are saved, done and no longer saved', async () => {
    const { ada, bob } = world
    const id = await bob.send('general', 'for later')
    await ada.fetch(`/saved/${id}`, { method: 'PUT' })
    await agree()
    await ada.patchJson(`/saved/${id}`, { done: true })
    await agree()
    await ada.fetch(`/saved/${id}`, { method: 'DELETE' })
    await agree()
  })

  it('say the same after messages are scheduled and cancelled, and after drafts', async () => {
    const { ada } = world
    const send_ts = Date.now() / 1_000 + 3_600
    const made = await ada.postJson('/scheduled', { channel: 'general', text: 'later', send_ts })
    const { id } = (await made.json()) as { id: number }
    await ada.fetch('/drafts/general', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"unsent","updated_ts":1}',
    })
    await agree()
    await ada.fetch(`/scheduled/${id}`, { method: 'DELETE' })
    await agree()
  })

  it('say the same after somebody stops sharing what they have read', async () => {
    const { ada, bob } = world
    await bob.prefer({ share_read: false })
    await agree()
    expect(lastOf(ada, 'read_receipts')).to.not.include('bob')
    await bob.prefer({ share_read: true })
    await agree()
  })

  it('say the same after settings and profiles change', async () => {
    const { ada, bob } = world
    const patch = (person: Person, path: string, body: unknown) => person.patchJson(path, body)
    expect((await patch(ada, '/admin/settings', { workspace_name: 'Hill House' })).status).to.equal(204)
    expect((await patch(bob, '/me', { title: 'Sound', timezone: 'Europe/Oslo' })).status).to.equal(204)
    await agree()
    expect(lastOf(bob, 'workspace')).to.include('Hill House')
    expect(lastOf(bob, 'me')).to.include('Europe/Oslo')
    await patch(ada, '/admin/settings', { who_invites: 'members', read_receipts: false })
    await agree()
    expect(lastOf(bob, 'me')).to.include('"invite"')
    await patch(ada, '/admin/settings', { who_invites: null, read_receipts: null, workspace_name: null })
    await agree()
  })

  it('say the same after a group changes and is mentioned', async () => {
    const { ada, bob } = world
    await ada.postJson('/groups', { handle: 'crew', name: 'Crew', members: ['bob', 'cleo'] })
    await agree()
    await bob.patchJson('/groups/crew', { remove: ['bob'] })
    await bob.send('general', 'hello @crew')
    await agree()
    expect(lastOf(bob, 'people')).to.not.include('"groups_rev":0')
    await ada.fetch('/groups/crew', { method: 'DELETE' })
    await agree()
  })

  it('say the same after a DM is closed and comes back', async () => {
    const { ada, bob } = world
    await bob.postJson('/dms/close', { channel: 'dm:ada:bob' })
    await agree()
    await ada.send('dm:ada:bob', 'still there?')
    await agree()
  })

  it('say the same in a private channel, as it is renamed and grows', async () => {
    const { ada, bob, cleo } = world
    await bob.send(den.channel, 'quiet in here, @ada')
    await ada.postJson(`/private_channels/${den.id}/rename`, { name: 'burrow' })
    await ada.postJson(`/private_channels/${den.id}/add_member`, { username: 'cleo' })
    await agree()
    await cleo.send(den.channel, 'hello @everyone')
    await bob.markRead(den.channel)
    await agree()
  })

  it('say the same to a late member, who sees no earlier messages', async () => {
    const { cleo, mallory, bob } = world
    await cleo.postJson(`/private_channels/${den.id}/add_member`, { username: 'mallory' })
    const tab = await openTab(gateway.url, mallory.cookie, { channel: den.channel, deltas: EXTRA_EVENTS })
    tabs.push({ person: mallory, channel: den.channel, tab })
    const [first] = await bob.messages(den.channel)
    await bob.edit(first!.id, 'quiet in there, @ada')
    await bob.send(den.channel, 'and hello mallory')
    await agree()
    expect(tab.rows().map(({ content }) => content)).to.include('and hello mallory')
    expect(tab.rows().map(({ id }) => id)).to.not.include(first!.id)
  })

  it('say the same as a public channel is made, joined, described, archived and brought back', async () => {
    const { ada, bob, cleo } = world
    const patch = (body: object) =>
      ada.fetch('/channel_info/plans', {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    await ada.postJson('/public_channels', { name: 'Plans', topic: 'Next year' })
    await ada.postJson('/public_channels', { name: 'Later plans' })
    await bob.postForm('/public_channels/later-plans/join')
    tabs.push({
      person: cleo,
      channel: 'plans',
      tab: await openTab(gateway.url, cleo.cookie, { channel: 'plans', deltas: EXTRA_EVENTS }),
    })
    await agree()
    await bob.postForm('/public_channels/plans/join')
    await cleo.send('plans', 'hello @everyone')
    await agree()
    expect(lastOf(bob, 'channel_unreads')).to.include('"plans":1,"later-plans":0')
    await patch({ posting: 'managers', topic: 'This year', name: 'The plans' })
    await ada.fetch('/channel_info/plans/managers/bob', { method: 'PUT' })
    await agree()
    expect(lastOf(cleo, 'channel_info')).to.include('"posting":"everyone"')
    expect(tabs.at(-1)!.tab.lastText('channel_info')).to.include('"posting":"managers"')
    await bob.postForm('/public_channels/random/leave')
    await ada.postForm('/channel_info/plans/archive')
    await agree()
    await ada.postForm('/channel_info/plans/unarchive')
    await bob.postForm('/public_channels/random/join')
    await agree()
  })

  it('say the same as a call rings, is taken and ends', async () => {
    const { ada, bob } = world
    const started = await ada.postJson('/calls/initiate', { channel: 'dm:ada:bob' })
    const { call_id } = (await started.json()) as { call_id: string }
    await agree()
    expect(lastOf(bob, 'incoming_calls')).to.include(call_id)
    await bob.postJson(`/calls/${call_id}/accept`, {})
    await agree()
    expect(lastOf(bob, 'incoming_calls')).to.equal('[]')
    await ada.postJson(`/calls/${call_id}/end`, {})
    await agree()
  })

  it('say the same as a call in a private channel rings on, is declined, joined and left', async () => {
    const { ada, bob, cleo } = world
    const started = await ada.postJson('/calls/initiate', { channel: den.channel, video: true })
    const { call_id } = (await started.json()) as { call_id: string }
    for (const [person, verb] of [
      [bob, 'accept'],
      [cleo, 'reject'],
      [cleo, 'join'],
      [bob, 'leave'],
    ] as const) {
      await person.postJson(`/calls/${call_id}/${verb}`, {})
      await agree()
      expect(lastOf(bob, 'running_calls'), verb).to.include(call_id)
    }
    await ada.postJson(`/calls/${call_id}/invite`, { username: 'mallory' })
    await agree()
    await cleo.postJson(`/calls/${call_id}/end`, {})
    await agree()
    expect(lastOf(bob, 'running_calls')).to.equal('[]')
  })

  it('say the same while a screen is shared and afterwards', async () => {
    const { bob } = world
    const started = await bob.postJson('/screenshare/start', { channel: 'dm:ada:bob' })
    const { share_id } = (await started.json()) as { share_id: string }
    await agree()
    await bob.postJson(`/screenshare/${share_id}/stop`, {})
    await agree()
  })

  it('say the same when a member leaves: no more channel events', async () => {
    const { ada, bob } = world
    const left = tabs.splice(
      tabs.findIndex(({ person, channel }) => person === bob && channel === den.channel),
      1,
    )[0]!
    await bob.postJson(`/private_channels/${den.id}/leave`, {})
    await left.tab.waitFor(() => left.tab.lastText('private_channels') === '[]')
    const from = left.tab.frames.length
    await ada.send(den.channel, 'bob?')
    await agree()
    left.tab.close()
    const after = new Set(left.tab.events().slice(from))
    for (const event of ['messages', 'typing', 'read_receipts', 'screenshares'] as const) {
      expect(after.has(event), event).to.equal(false)
    }
  })

  const lastOf = (person: Person, event: EventName) =>
    tabs.find(tab => tab.person === person)!.tab.lastText(event)
})
