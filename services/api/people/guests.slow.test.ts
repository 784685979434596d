import { expect } from 'chai'
import sharp from 'sharp'
import type { PeopleChangesPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, requestStream } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Asks as a guest for everything about people that the guest shares no channel with, on every way there is. */
describe('a guest (interface 15.1)', () => {
  let world: World
  let gateway: RunningService
  let guest: Person
  /** The guest shares it with bob only. No response may name ada or mallory. */
  let den: string
  let unseen: RegExp
  let generalMessage: number
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    gateway = await startService('events', world.backing.env)
    const { ada, bob, cleo, mallory } = world
    guest = cleo
    unseen = /mallory|ada"|"ada/i
    den = await world.privateChannel('den', [bob, guest])
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    for (const person of [bob, mallory]) {
      await person.postForm('/settings', { name_color: '#123456' })
      await person.postJson('/presence', { state: 'active' })
      const body = new FormData()
      body.append('avatar', new File([new Uint8Array(bytes)], 'me.png'))
      await person.fetch('/avatar', { method: 'POST', body })
    }
    generalMessage = await mallory.send('general', 'not for guests')
    await bob.send(den, 'hello')
    const made = await ada.patchJson('/admin/people/cleo', { role: 'guest', channels: [] })
    expect(made.status).to.equal(204)
  })
  after(async () => {
    await gateway.stop()
    await world.end()
  })

  it('keeps private channels and DMs, and needs a channel otherwise', async () => {
    const { ada, mallory } = world
    const response = await ada.patchJson('/admin/people/mallory', { role: 'guest', channels: [] })
    expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
      400,
      'required',
    ])
    expect((await mallory.fetch('/messages/general')).status).to.equal(200)
    expect(await guest.get('/channels')).to.deep.equal([])
    expect(await guest.get<unknown[]>('/private_channels')).to.have.length(1)
  })

  it('is told of nobody else by any list', async () => {
    const lists = [
      '/users',
      '/online_users',
      '/people',
      '/people?since=0',
      '/people_changes',
      '/user_colors',
      '/user_avatars',
      `/channel_members/${den}`,
      '/channel_unreads',
      '/mentions',
      '/inbox',
      '/dms',
      '/sidebar',
      '/running_calls',
      '/calls/incoming',
      '/search?q=guests',
      '/search_messages?q=guests',
      `/messages/${den}`,
      `/read_receipts/${den}`,
      `/channel_info/${den}`,
      `/channel_people/${den}`,
      '/public_channels',
      '/me',
      '/workspace',
    ]
    for (const path of lists) {
      const response = await guest.fetch(path)
      expect(response.status, path).to.equal(200)
      expect(await response.text(), path).to.not.match(unseen)
    }
    expect(await guest.get('/users')).to.deep.equal(['bob'])
    expect(await guest.get('/online_users')).to.deep.equal({ bob: 'active' })
    expect(await guest.get('/user_colors')).to.deep.equal({ bob: '#123456' })
    expect(await guest.get('/user_avatars')).to.deep.equal(['bob'])
    expect((await guest.get<PeoplePayload>('/people')).people.map(person => person.username)).to.deep.equal([
      'bob',
      'cleo',
    ])
  })

  it('finds no unseen person and no other channel by name or id', async () => {
    const missing = '/profile/nobody-here'
    for (const [path, status] of [
      ['/profile/mallory', 404],
      ['/profile/MALLORY', 404],
      [missing, 404],
      ['/avatar/mallory', 404],
      ['/messages/general', 403],
      ['/messages/design', 403],
      ['/channel_members/general', 403],
      ['/read_receipts/general', 403],
      ['/messages/dm:cleo:mallory', 403],
      ['/messages/dm:cleo:Mallory', 403],
      ['/messages/dm:cleo:nobody-here', 403],
      ['/channel_members/dm:cleo:mallory', 403],
      [`/message/${generalMessage}`, 404],
      [`/seen/${generalMessage}`, 404],
      ['/channel_info/general', 404],
      ['/channel_people/general', 404],
      ['/channel_info/dm:cleo:mallory', 404],
      ['/invites', 403],
      ['/admin/people', 403],
      ['/admin/audit', 403],
      ['/admin/stats', 403],
      ['/groups', 403],
    ] as const) {
      const response = await guest.fetch(path)
      expect(response.status, path).to.equal(status)
      expect(await response.text(), path).to.not.include('mallory')
    }
    expect((await guest.fetch('/profile/bob')).status).to.equal(200)
    expect((await guest.fetch('/avatar/bob')).status).to.equal(200)
    const search = async (q: string) =>
      (await guest.get<{ parsed: { problems: { why: string }[] } }>(`/search?q=${encodeURIComponent(q)}`))
        .parsed
    expect(await search('hello from:mallory')).to.deep.equal({
      problems: [{ token: 'from:mallory', why: 'unknown_person' }],
    })
    expect((await search('hello in:@mallory')).problems[0]?.why).to.equal('unknown_channel')
    expect(await search('hello from:bob')).to.deep.equal({ problems: [] })
  })

  it('writes to nobody unseen, and makes no channel', async () => {
    for (const [path, body, status] of [
      ['/send/dm:cleo:mallory', { text: 'hi' }, 403],
      ['/send/dm:bob:cleo:mallory', { text: 'hi' }, 403],
      ['/send/general', { text: 'hi' }, 403],
      [`/react/${generalMessage}`, { reaction: 'tada' }, 404],
      [`/edit/${generalMessage}`, { text: 'x' }, 403],
    ] as const) {
      const response = await guest.postForm(path, body)
      expect(response.status, path).to.equal(status)
      if (status === 403) expect(await response.text(), path).to.equal('forbidden')
    }
    const id = Number(den.replace('private:', ''))
    for (const [path, body, status] of [
      ['/private_channels/create', { name: 'mine', members: [] }, 403],
      [`/private_channels/${id}/rename`, { name: 'mine' }, 403],
      [`/private_channels/${id}/add_member`, { username: 'mallory' }, 403],
      ['/calls/initiate', { channel: 'dm:cleo:mallory' }, 403],
      ['/screenshare/start', { channel: 'dm:cleo:mallory' }, 403],
      ['/dms/close', { channel: 'dm:cleo:mallory' }, 400],
      [`/moderate/delete/${generalMessage}`, {}, 404],
    ] as const) {
      const response = await guest.postJson(path, body)
      expect(response.status, path).to.equal(status)
    }
    const begun = await guest.postJson('/calls/initiate', { channel: den })
    const { call_id } = (await begun.json()) as { call_id: string }
    const asked = await guest.postJson(`/calls/${call_id}/invite`, { username: 'mallory' })
    const unknown = await guest.postJson(`/calls/${call_id}/invite`, { username: 'nobody-here' })
    expect([asked.status, await asked.text()]).to.deep.equal([unknown.status, await unknown.text()])
    await guest.postJson(`/calls/${call_id}/end`, {})
    const sent = await guest.send(den, 'ask @mallory or @bob')
    expect((await guest.messages(den)).find(row => row.id === sent)?.mentions).to.equal('["bob"]')
    expect(await world.mallory.get('/dms')).to.deep.equal([])
    const known = await guest.postForm('/send/dm:bob:cleo', { text: 'hi' })
    expect(known.status, 'a DM with somebody seen').to.equal(200)
  })

  it('gets frames of nobody else', async () => {
    const tabs = await Promise.all([
      openTab(gateway.url, guest.cookie, { channel: den, deltas: ['people', 'inbox', 'sidebar', 'me'] }),
      openTab(gateway.url, guest.cookie, { channel: den, deltas: ['presence', 'people', 'lists', 'counts'] }),
      openTab(gateway.url, guest.cookie, { channel: 'general' }),
    ])
    const member = await openTab(gateway.url, world.bob.cookie, { deltas: ['presence', 'people'] })
    await world.mallory.patchJson('/me', { title: 'Secret of mallory' })
    await world.mallory.postJson('/presence', { state: 'idle' })
    await world.bob.patchJson('/me', { title: 'Seen' })
    await world.mallory.send('general', 'still not for guests')
    await member.waitFor(({ last }) => last.people?.people.some(({ title }) => title === 'Secret of mallory'))
    await member.waitFor(tab => tab.framesOf('presence').some(({ data }) => data.includes('mallory')))
    const isBob = (page: PeopleChangesPayload | undefined) =>
      page?.people.some(({ title }) => title === 'Seen')
    for (const tab of tabs.slice(0, 2)) await tab.waitFor(({ last }) => isBob(last.people))
    await tabs[1]!.waitFor(tab => tab.events().includes('presence'))
    // Her own message names somebody.
    const others = tabs.flatMap(({ frames }) => frames.filter(({ event }) => event !== 'messages'))
    for (const { event, data } of others) expect(data, event).to.not.match(unseen)
    expect(tabs[2]!.events(), 'no frames of a channel that the guest may not read').to.not.include('messages')
    for (const tab of [...tabs, member]) tab.close()
  })

  it('sees more with each channel, and no more of it once removed', async () => {
    const { ada, bob } = world
    const attic = await world.privateChannel('attic', [world.mallory, ada])
    const watched = await openTab(gateway.url, guest.cookie, { channel: attic, deltas: ['presence'] })
    expect((await world.mallory.addMember(attic, 'cleo')).status).to.equal(204)
    expect(await guest.get('/users')).to.deep.equal(['ada', 'bob', 'mallory'])
    expect((await guest.fetch('/profile/mallory')).status).to.equal(200)
    expect((await guest.postForm('/send/dm:cleo:mallory', { text: 'hi' })).status).to.equal(200)
    const welcome = await world.mallory.send(attic, 'welcome')
    await watched.waitFor(tab => tab.rows().some(({ content }) => content === 'welcome'))
    const opened = [
      `/messages/${attic}`,
      `/message/${welcome}`,
      `/channel_members/${attic}`,
      `/read_receipts/${attic}`,
      `/channel_info/${attic}`,
      '/avatar/mallory',
    ]
    for (const path of opened) expect((await guest.fetch(path)).status, path).to.equal(200)
    expect((await guest.get<{ items: unknown[] }>('/search?q=welcome')).items).to.have.length(1)
    const removal = { username: 'cleo' }
    const removed = await world.mallory.postJson(
      `/private_channels/${attic.slice('private:'.length)}/remove_member`,
      removal,
    )
    expect(removed.status).to.equal(204)
    const count = watched.rows().length
    await ada.send(attic, 'gone')
    await bob.send(den, 'later')
    await watched.waitFor(
      tab =>
        tab.lastText('private_channels') !== undefined && !tab.lastText('private_channels')!.includes(attic),
    )
    expect(
      watched
        .rows()
        .slice(count)
        .map(({ content }) => content),
    ).to.not.include('gone')
    for (const path of opened.slice(0, -1)) expect((await guest.fetch(path)).status, path).to.not.equal(200)
    expect((await guest.get<{ items: unknown[] }>('/search?q=welcome')).items).to.have.length(0)
    expect(await guest.get('/users'), 'the DM stays').to.deep.equal(['bob', 'mallory'])
    watched.close()
    const joined = await ada.patchJson('/admin/people/cleo', { role: 'member' })
    expect(joined.status).to.equal(204)
    expect(await guest.get('/channels'), 'the default channels come back').to.deep.equal([
      'general',
      'design',
    ])
    expect(await guest.get('/users')).to.deep.equal(['ada', 'bob', 'mallory'])
    expect((await requestStream(gateway.url, guest.cookie)).status).to.equal(200)
  })
})
