import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import sharp from 'sharp'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import type { Concern, Notice } from '#shared/notices/notice.ts'
import { newestNoticeId, readNotices } from '#shared/notices/notice-log.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/**
 * Calls the write endpoints and compares all collections before and after: a notice must name every collection whose
 * response changed, for the right channel and users. A missing name would lose a frame.
 */
describe('the notice of a write', () => {
  let world: World
  let worker: RunningService
  let redis: Redis
  let database: pg.Client
  let everybody: Person[]
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design', 'attic'] } })
    worker = await startService('previews-pictures', world.backing.env)
    redis = new Redis(world.backing.env.REDIS_URL)
    database = new pg.Client(world.backing.env.DATABASE_URL)
    await database.connect()
    await database.query(
      `insert into channel_memberships (username, channel, joined, changed_ts) values ('mallory', 'attic', false, 0)`,
    )
    everybody = [world.ada, world.bob, world.cleo, world.mallory]
  })
  after(async () => {
    redis.disconnect()
    await worker.stop()
    await database.end()
    await world.end()
  })

  const CHANNELS = ['general', 'design', 'dm:ada:bob']
  let den: string
  const CHANNEL_PATHS = {
    messages: (channel: string) => `/messages/${channel}`,
    typing: (channel: string) => `/typing/${channel}`,
    read_receipts: (channel: string) => `/read_receipts/${channel}`,
    screenshares: (channel: string) => `/screenshare/active?channel=${channel}`,
    channel_info: (channel: string) => `/channel_info/${channel}`,
  }
  const GLOBAL_PATHS = {
    online_users: '/online_users',
    dms: '/dms',
    channel_unreads: '/channel_unreads',
    mentions: '/mentions',
    unread_count: '/unread_count',
    private_channels: '/private_channels',
    incoming_calls: '/calls/incoming',
    sidebar: '/sidebar',
    inbox: '/inbox',
    running_calls: '/running_calls',
    workspace: '/workspace',
    me: '/me',
    // The event lists recent changes, which also ends with time.
    people: '/people',
  }

  async function addEmoji() {
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    const body = new FormData()
    body.set('name', 'our_parrot')
    body.append('image', new File([new Uint8Array(await image.png().toBuffer())], 'parrot.png'))
    return world.bob.fetch('/emoji', { method: 'POST', body })
  }

  /** Responses of every collection to every user: `event|channel or person` → body. */
  async function answers() {
    const found = new Map<string, string>()
    /** Repeated while the machine is too busy: a 503 would count as a change. */
    const ask = (person: Person, path: string) =>
      eventually(async () => {
        const response = await person.fetch(path)
        expect(response.status, path).to.be.below(500)
        return response.text()
      })
    const askAll = async (person: Person) => {
      for (const [event, path] of Object.entries(GLOBAL_PATHS)) {
        found.set(`${event}|*|${person.name}`, await ask(person, path))
      }
      for (const channel of CHANNELS) {
        for (const [event, path] of Object.entries(CHANNEL_PATHS)) {
          found.set(`${event}|${channel}|${person.name}`, await ask(person, path(channel)))
        }
      }
    }
    await Promise.all(everybody.map(askAll))
    return found
  }

  async function stillIn() {
    const answered = await Promise.all(everybody.map(person => person.fetch('/channels')))
    return everybody.filter((_, i) => answered[i]!.status === 200)
  }

  let last: number
  /** The current call or share. */
  let living: string
  async function call(caller: Person, channel: string) {
    const response = await caller.postJson('/calls/initiate', { channel })
    living = ((await response.json()) as { call_id: string }).call_id
  }
  async function share(sharer: Person, channel: string) {
    const response = await sharer.postJson('/screenshare/start', { channel })
    living = ((await response.json()) as { share_id: string }).share_id
  }
  const patchInfo = (body: object) =>
    world.ada.fetch('/channel_info/plans', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const addMallory = () => world.ada.postJson('/public_channels/plans/add', { usernames: ['mallory'] })
  /** The person has left the channel before. */
  async function joinByInvitation(person: Person, channel: string) {
    const made = await world.ada.postJson('/invites', { channels: [channel] })
    const { code } = (await made.json()) as { code: string }
    const page = await (await person.fetch(`/invite/${code}`)).text()
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)![1]!
    return person.postForm(`/invite/${code}`, { csrf_token })
  }
  const deleteAccount = (person: Person, type: string) =>
    person.postJson('/delete_account', { type, password: PASSWORD })
  const WRITES: [name: string, write: () => Promise<unknown>][] = [
    ['a public message', async () => (last = await world.ada.send('general', 'hello'))],
    ['a reply in public', () => world.bob.send('general', 'hello yourself', { reply_to_id: String(last) })],
    [
      'a reply for its followers',
      () => world.cleo.send('general', 'hello all', { reply_to_id: String(last) }),
    ],
    ['following a thread no longer', () => world.bob.fetch(`/thread/${last}/follow`, { method: 'DELETE' })],
    ['following it again', () => world.bob.fetch(`/thread/${last}/follow`, { method: 'PUT' })],
    ['reading a thread', () => world.bob.postJson(`/thread/${last}/read`, {})],
    [
      'another reply for its followers',
      () => world.cleo.send('general', 'hello again', { reply_to_id: String(last) }),
    ],
    ['reading all threads', () => world.bob.postJson('/threads/read', { until: 1e10 })],
    ['a mention in public', async () => (last = await world.ada.send('design', 'hello @cleo'))],
    ['a call to everyone', () => world.bob.send('design', 'lunch, @everyone')],
    ['an edit that mentions another', () => world.ada.edit(last, 'hello @bob')],
    ['a mention of the sender of the next message', () => world.ada.send('design', '@cleo, look')],
    ['a message by which the sender has read what mentions them', () => world.cleo.send('design', 'yes?')],
    ['an edit without mentions', () => world.ada.edit(last, 'hello')],
    ['an edit with the same mention again', () => world.ada.edit(last, 'hello @bob')],
    ['a reaction', () => world.cleo.react(last, 'tada')],
    ['a reaction taken back', () => world.cleo.react(last, 'tada')],
    ['forwarding', () => world.bob.postJson(`/forward/${last}`, { channel: 'general' })],
    ['a pin', () => world.cleo.fetch(`/pin/${last}`, { method: 'PUT' })],
    ['saving a message', () => world.cleo.fetch(`/saved/${last}`, { method: 'PUT' })],
    ['a saved message that is done', () => world.cleo.patchJson(`/saved/${last}`, { done: true })],
    ['removing a saved message', () => world.cleo.fetch(`/saved/${last}`, { method: 'DELETE' })],
    [
      'scheduling a message',
      () =>
        world.cleo.postJson('/scheduled', {
          channel: 'general',
          text: 'later',
          send_ts: Date.now() / 1_000 + 3_600,
        }),
    ],
    [
      'a draft',
      () =>
        world.cleo.fetch('/drafts/general', {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json' },
          body: '{"text":"unsent","updated_ts":1}',
        }),
    ],
    ['a pin taken away', () => world.cleo.fetch(`/pin/${last}`, { method: 'DELETE' })],
    ['reading', () => world.bob.markRead('design')],
    ['marking as unread', () => world.bob.markUnread('design', last)],
    ['a message by which the sender ends the mark', () => world.bob.send('design', 'back again')],
    ['marking as unread again', () => world.bob.markUnread('design', last)],
    ['reading what was marked as unread', () => world.bob.markRead('design')],
    ['muting', () => world.bob.mute('design', { muted_for_minutes: 60 })],
    [
      'setting a status',
      () =>
        world.bob.fetch('/status', {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json' },
          body: '{"text":"busy"}',
        }),
    ],
    ['choosing a favourite', () => world.bob.mute('design', { favourite: true, level: 'all' })],
    ['making a section', () => world.bob.postJson('/sections', { name: 'Work' })],
    ['no longer muting', () => world.bob.mute('design', { muted_for_minutes: 0 })],
    ['reading an item of the inbox', () => world.ada.postJson('/inbox/read', { upto: Date.now() / 1_000 })],
    ['hiding what one has read', () => world.bob.prefer({ share_read: false })],
    ['showing it again', () => world.bob.prefer({ share_read: null })],
    ['sorting the sidebar', () => world.bob.prefer({ sidebar: { sort: 'name', hide_read: false } })],
    ['a change of a profile', () => world.bob.patchJson('/me', { title: 'Sound' })],
    [
      'a setting that gives rights',
      () => world.ada.patchJson('/admin/settings', { who_invites: 'members', workspace_name: 'Hill House' }),
    ],
    ['a setting that goes back', () => world.ada.patchJson('/admin/settings', { who_invites: null })],
    [
      'making a group',
      () => world.ada.postJson('/groups', { handle: 'stage', name: 'Stage', members: ['cleo'] }),
    ],
    ['adding to a group', () => world.ada.patchJson('/groups/stage', { add: ['mallory'] })],
    ['a message that mentions a group', async () => (last = await world.bob.send('general', 'hello @stage'))],
    ['an edit that mentions no group', () => world.bob.edit(last, 'hello')],
    ['adding an emoji', addEmoji],
    ['removing an emoji', () => world.bob.fetch('/emoji/our_parrot', { method: 'DELETE' })],
    ['deleting a group', () => world.ada.fetch('/groups/stage', { method: 'DELETE' })],
    ['making a bot', () => world.ada.postJson('/bots', { username: 'bell', channels: ['attic'] })],
    ['a change of a bot', () => world.ada.patchJson('/bots/bell', { display_name: 'Bell', owner: 'cleo' })],
    [
      'making a command',
      () => world.ada.postJson('/commands', { name: 'ring', url: 'http://a.example/', bot: 'bell' }),
    ],
    ['a change of a command', () => world.ada.patchJson('/commands/ring', { description: 'Rings' })],
    ['making a hook', () => world.ada.postJson('/hooks_in', { name: 'Toll', channel: 'attic' })],
    [
      'making an outgoing hook',
      () =>
        world.ada.postJson('/hooks_out', {
          name: 'Out',
          url: 'http://a.example/',
          events: ['message.created'],
        }),
    ],
    ['the end of a bot', () => world.cleo.postJson('/bots/bell/deactivate', {})],
    ['its return', () => world.cleo.postJson('/bots/bell/reactivate', {})],
    ['its deletion', () => world.cleo.fetch('/bots/bell', { method: 'DELETE' })],
    ['a message that will be deleted', async () => (last = await world.ada.send('design', 'hello @bob'))],
    ['a pin on it', () => world.bob.fetch(`/pin/${last}`, { method: 'PUT' })],
    ['coming into a channel by an invitation', () => joinByInvitation(world.mallory, 'attic')],
    ['a deletion', () => world.ada.delete(last)],
    ['the first direct message', async () => (last = await world.ada.send('dm:ada:bob', 'psst @bob'))],
    ['an edit in a DM', () => world.ada.edit(last, 'psst')],
    ['a reaction in a DM', () => world.bob.react(last, '👍')],
    ['reading a DM', () => world.bob.markRead('dm:ada:bob')],
    ['another direct message', async () => (last = await world.ada.send('dm:ada:bob', 'unread'))],
    ['marking a DM as unread', () => world.bob.markUnread('dm:ada:bob', last)],
    ['closing a DM', () => world.bob.postJson('/dms/close', { channel: 'dm:ada:bob' })],
    ['a message into a closed DM', () => world.ada.send('dm:ada:bob', 'open again')],
    ['deleting in a DM', () => world.ada.delete(last)],
    [
      'making a private channel',
      async () => {
        den = await world.privateChannel('den', [world.ada, world.bob])
        // From now on: before, no tab can have had it open.
        CHANNELS.push(den)
      },
    ],
    ['a mention in private', async () => (last = await world.ada.send(den, 'hello @bob'))],
    ['a reaction in private', () => world.bob.react(last, 'tada')],
    ['adding a member', () => world.bob.addMember(den, 'cleo')],
    ['an edit that mentions the new member', () => world.ada.edit(last, 'hello @cleo')],
    ['a private message for them', async () => (last = await world.ada.send(den, 'welcome, @cleo'))],
    ['deleting in private', () => world.ada.delete(last)],
    ['renaming', () => world.cleo.rename(den, 'burrow')],
    ['reading in private', () => world.cleo.markRead(den)],
    ['typing in private', () => world.bob.postForm(`/typing/${den}`)],
    // Otherwise the typing would expire during a later step.
    ['sending what was typed in private', () => world.bob.send(den, 'typed')],
    ['calling a private channel', () => call(world.ada, den)],
    ['answering, for whom it rings on', () => world.bob.postForm(`/calls/${living}/accept`)],
    ['asking by name', () => world.ada.postJson(`/calls/${living}/invite`, { username: 'mallory' })],
    ['rejecting', () => world.mallory.postForm(`/calls/${living}/reject`)],
    ['sharing in private', () => share(world.bob, den)],
    ['leaving, with a call that ends and a share that stops', () => world.bob.leave(den)],
    ['coming back', () => world.ada.addMember(den, 'bob')],
    [
      'making a public channel',
      async () => {
        await world.ada.postJson('/public_channels', { name: 'Plans' })
        CHANNELS.push('plans')
      },
    ],
    ['joining a public channel', () => world.bob.postForm('/public_channels/plans/join')],
    ['a message that joins', () => world.cleo.send('plans', 'hello')],
    ['setting a topic', () => patchInfo({ topic: 'What is next' })],
    ['making a channel read-only', () => patchInfo({ posting: 'managers' })],
    ['naming a manager', () => world.ada.fetch('/channel_info/plans/managers/bob', { method: 'PUT' })],
    [
      'taking the right of a manager',
      () => world.ada.fetch('/channel_info/plans/managers/bob', { method: 'DELETE' }),
    ],
    ['letting everybody write', () => patchInfo({ posting: 'everyone' })],
    ['renaming a public channel', () => patchInfo({ name: 'Plans of 2027' })],
    ['adding people to a public channel', () => addMallory()],
    ['removing a person', () => world.ada.postJson('/public_channels/plans/remove', { username: 'mallory' })],
    ['leaving a public channel', () => world.cleo.postForm('/public_channels/plans/leave')],
    ['archiving', () => world.ada.postForm('/channel_info/plans/archive')],
    ['bringing back', () => world.ada.postForm('/channel_info/plans/unarchive')],
    ['archiving a private channel', () => world.ada.postForm(`/channel_info/${den}/archive`)],
    ['bringing a private channel back', () => world.ada.postForm(`/channel_info/${den}/unarchive`)],
    ['calling in a DM', () => call(world.bob, 'dm:ada:bob')],
    ['rejecting as the last', () => world.ada.postForm(`/calls/${living}/reject`)],
    ['calling again', () => call(world.ada, 'dm:ada:bob')],
    ['ending what nobody has answered', () => world.ada.postForm(`/calls/${living}/end`)],
    ['calling a third time', () => call(world.ada, 'dm:ada:bob')],
    ['answering', () => world.bob.postForm(`/calls/${living}/accept`)],
    ['leaving a call that ends with it', () => world.bob.postForm(`/calls/${living}/leave`)],
    ['calling a fourth time', () => call(world.bob, 'dm:ada:bob')],
    ['joining what rings', () => world.ada.postForm(`/calls/${living}/join`)],
    ['ending what was joined', () => world.ada.postForm(`/calls/${living}/end`)],
    ['sharing a screen', () => share(world.ada, 'dm:ada:bob')],
    ['sharing another', () => share(world.ada, 'dm:ada:bob')],
    ['no longer sharing', () => world.ada.postForm(`/screenshare/${living}/stop`)],
    ['typing', () => world.bob.postForm('/typing/general')],
    ['sending what was typed', () => world.bob.send('general', 'typed')],
    ['coming online', () => world.cleo.postJson('/presence', { state: 'active' })],
    ['idling', () => world.cleo.postJson('/presence', { state: 'idle' })],
    ['appearing offline', () => world.cleo.postJson('/presence/override', { override: 'offline' })],
    ['no longer so', () => world.cleo.postJson('/presence/override', { override: null })],
    ['signing out', () => world.cleo.fetch('/logout')],
    ['deactivating an account', () => world.ada.postJson('/admin/people/cleo/deactivate', {})],
    ['reactivating it', () => world.ada.postJson('/admin/people/cleo/reactivate', {})],
    ['a title by an administrator', () => world.ada.patchJson('/admin/people/bob', { title: 'Light' })],
    [
      'making a guest',
      () => world.ada.patchJson('/admin/people/mallory', { role: 'guest', channels: ['general'] }),
    ],
    ['adding a guest to a public channel', () => addMallory()],
    ['a message for a guest to save', async () => (last = await world.bob.send('plans', 'for later'))],
    ['saving it as a guest', () => world.mallory.fetch(`/saved/${last}`, { method: 'PUT' })],
    ['removing a guest', () => world.ada.postJson('/public_channels/plans/remove', { username: 'mallory' })],
    ['adding the guest again', () => addMallory()],
    ['a guest who leaves', () => world.mallory.postForm('/public_channels/plans/leave')],
    ['making a member of a guest', () => world.ada.patchJson('/admin/people/mallory', { role: 'member' })],
    [
      'a message that a moderator will remove',
      async () => (last = await world.bob.send('general', 'spam @ada')),
    ],
    ['removing it as a moderator', () => world.ada.postJson(`/moderate/delete/${last}`, {})],
    ['deleting an account and all it said', () => deleteAccount(world.bob, 'hard')],
    ['deleting an account', () => deleteAccount(world.mallory, 'soft')],
  ]

  /** People whose sidebar the notice of a write names; other sidebars stay as they are. */
  const SIDEBARS: Record<string, string[]> = {
    'setting a topic': [],
    'naming a manager': ['bob'],
    'adding people to a public channel': ['mallory'],
    'removing a person': ['mallory'],
  }

  function sidebarsOf({ concerns }: Notice) {
    return concerns
      .filter(part => part.collections.includes('sidebar'))
      .flatMap(part => part.users ?? ['everybody'])
  }

  /** The users whom a part of a notice concerns, computed as a gateway does. */
  async function concernedBy({ channel, users, everybody: all, followersOf }: Concern): Promise<string[]> {
    if (users) return [...users]
    expect(followersOf, 'more than twelve followers').to.equal(undefined)
    const parsed = parseChannelId(channel ?? 'general')
    if (all || !parsed || parsed.kind === 'public') return everybody.map(person => person.name)
    if (parsed.kind === 'dm') return parsed.participants
    const { rows } = await database.query<{ username: string }>(
      'select username from private_channel_members where channel_id = $1',
      [parsed.privateId],
    )
    return rows.map(row => row.username)
  }

  /** True if a gateway reads the collection again, of that channel or for that person. */
  async function covers(notice: Notice, event: string, channel: string, person: string): Promise<boolean> {
    for (const concern of notice.concerns) {
      if (!concern.collections.includes(event as EventName)) continue
      if (channel !== '*') {
        if ((concern.channel ?? channel) === channel) return true
        // A gateway reads `people` once for everybody.
      } else if (event === 'people' || (await concernedBy(concern)).includes(person)) return true
    }
    return false
  }

  it('a repeated send and a repeated deletion publish again, in case their first notice was lost', async () => {
    const keys = keysWith(world.backing.env.REDIS_PREFIX)
    const told = async (write: () => Promise<unknown>) => {
      const id = await newestNoticeId(redis, keys)
      await write()
      return (await readNotices(redis, keys, id, 5_000)).map(({ notice }) => notice)
    }
    const client_id = randomUUID()
    const send = async () => (last = await world.ada.send('general', 'once, @bob', { client_id }))
    const first = await told(send)
    const mentions = (users: string[]) => ({ collections: ['mentions', 'inbox'], channel: 'general', users })
    expect(first[0]!.concerns).to.deep.include(mentions(['bob', 'ada']))
    expect(await told(send)).to.deep.equal(first)
    const [deletion] = await told(() => world.ada.delete(last))
    expect(deletion!.concerns[1]).to.deep.include({ collections: ['mentions'], users: ['bob'] })
    const again = await told(() => world.ada.delete(last))
    expect(again[0]!.concerns[0]!.collections).to.include.members(['messages', 'channel_unreads'])
  })

  for (const [name, write] of WRITES) {
    it(`${name}: its notice names every collection whose response changed`, async () => {
      const before = await answers()
      const id = await newestNoticeId(redis, keysWith(world.backing.env.REDIS_PREFIX))
      await write()
      const notices = await readNotices(redis, keysWith(world.backing.env.REDIS_PREFIX), id, 5_000)
      if (notices[0]?.notice?.endedSessions) everybody = await stillIn()
      const after = await answers()

      expect(notices, 'one notice a write').to.have.length(1)
      const notice = notices[0]!.notice!
      const changed = [...before]
        .filter(([key, body]) => after.has(key) && after.get(key) !== body)
        .map(([key]) => key)
      expect(changed, 'the write changes something').to.not.deep.equal([])
      if (SIDEBARS[name]) expect(sidebarsOf(notice)).to.deep.equal(SIDEBARS[name])
      for (const key of changed) {
        const [event, channel, person] = key.split('|') as [string, string, string]
        expect(await covers(notice, event, channel, person), `${key}: ${JSON.stringify(notice)}`).to.equal(
          true,
        )
      }
    })
  }
})
