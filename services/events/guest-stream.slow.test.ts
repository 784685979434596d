import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import { DELTA_NAMES, EXTRA_EVENTS, WITH_EXTRA } from '#shared/domain/deltas.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/*
 * Reads the bytes of a guest's streams while strangers write everything there is to write. Ids of what they make have
 * numbers that nothing else in a stream has.
 */

/** First id of messages, private channels and calls of strangers. */
const THEIR_IDS = 777_000_000
/** Every text, name, title and topic of strangers has it. */
const MARK = 'zvault'
const THEIRS = new RegExp(`${MARK}|zelda|zorro|zora|\\bada\\b|777000\\d{3}`, 'i')

describe('the bytes of the streams of a guest', function () {
  this.timeout(240_000)
  let world: World
  let services: RunningService[]
  let db: pg.Client
  let guest: Person
  let den: string
  let strangers: Person[]
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
    services = await Promise.all(
      ['events', 'previews-pictures'].map(name => startService(name, world.backing.env)),
    )
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    const { ada, bob, cleo } = world
    guest = cleo
    den = await world.privateChannel('den', [bob, guest])
    await bob.postJson('/public_channels', { name: 'Project' })
    const made = await ada.patchJson('/admin/people/cleo', { role: 'guest', channels: ['project'] })
    expect(made.status).to.equal(204)
    await bob.send('project', 'hello')
    const names = ['zelda', 'zorro', 'zora']
    strangers = await Promise.all(names.map((name, i) => new Person(name, world.api[i % 2]!.url).signUp()))
  })
  after(async () => {
    await Promise.all(services.map(service => service.stop()))
    await db.end()
    await world.end()
  })

  const all = [...DELTA_NAMES, ...EXTRA_EVENTS, WITH_EXTRA] as const

  /** Base events and all events, of the guest's channels and of some that are closed to them. */
  const openAll = (person: Person, closed: string[]) =>
    Promise.all(
      [den, 'project', ...closed].flatMap(channel =>
        [undefined, all].map(deltas =>
          openTab(services[0]!.url, person.cookie, { channel, after: 0, ...(deltas && { deltas }) }),
        ),
      ),
    )

  const count = (tabs: Tab[]) => tabs.reduce((sum, { raw }) => sum + framesIn(raw).length, 0)

  /** Longer than the least interval of any event. */
  async function settled(tabs: Tab[]) {
    for (let before = -1; before !== count(tabs); ) {
      before = count(tabs)
      await new Promise(resolve => setTimeout(resolve, 2_500))
    }
  }

  /** The frames of raw text, without comments. */
  const framesIn = (raw: string) => raw.split('\n\n').filter(part => /^(event|data):/m.test(part))

  async function idsFrom(first: number) {
    for (const table of ['messages', 'private_channels', 'user_groups', 'invites'])
      await world.backing.admin(`select setval(pg_get_serial_sequence('${table}', 'id'), ${first})`)
  }

  async function must(asked: Promise<Response>, most = 204): Promise<Response> {
    const response = await asked
    expect(response.status, `${response.url}: ${await response.clone().text()}`).to.be.within(200, most)
    return response
  }

  const image = async () =>
    new Uint8Array(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
        .png()
        .toBuffer(),
    )

  /** Every write of messages in a channel of strangers. */
  async function writeIn(channel: string) {
    const [zelda, zorro] = strangers as [Person, Person]
    const picture = await image()
    const root = await zelda.send(channel, `${MARK} for @everyone, @cleo and @zora`)
    const reply = await zorro.send(channel, `${MARK} reply`, { reply_to_id: String(root) })
    await must(zorro.edit(reply, `${MARK} edited for @bob`))
    await must(zorro.react(root, 'tada'))
    await must(zelda.fetch(`/thread/${root}/follow`, { method: 'DELETE' }))
    await must(zelda.fetch(`/thread/${root}/follow`, { method: 'PUT' }))
    await must(zelda.postJson(`/thread/${root}/read`, {}))
    await must(zorro.fetch(`/pin/${root}`, { method: 'PUT' }))
    await must(zorro.fetch(`/saved/${root}`, { method: 'PUT' }))
    await must(zorro.patchJson(`/saved/${root}`, { note: MARK }))
    await must(zorro.postJson(`/forward/${root}`, { channel, text: MARK }), 201)
    await must(
      zelda.postJson('/scheduled', { channel, text: MARK, send_ts: Math.ceil(Date.now() / 1_000) + 3_600 }),
      201,
    )
    await must(
      zelda.putJson(`/drafts/${channel}`, { text: MARK, thread_id: 0, updated_ts: Date.now() / 1_000 }),
    )
    await must(zelda.sendImages(channel, [{ name: `${MARK}.png`, bytes: Buffer.from(picture) }]))
    await must(zelda.sendFiles(channel, [{ name: `${MARK}.pdf`, bytes: '%PDF-1' }]))
    await must(zorro.postForm(`/typing/${channel}`))
    await must(zorro.markRead(channel))
    await must(zorro.markUnread(channel, root))
    await must(zorro.mute(channel, { favourite: true }))
    if (/^(private|dm):/.test(channel)) await callIn(channel)
    await must(zorro.fetch(`/pin/${root}`, { method: 'DELETE' }))
    await must(zorro.delete(reply))
  }

  async function callIn(channel: string) {
    const [zelda, zorro] = strangers as [Person, Person]
    const call = (await (await must(zelda.postJson('/calls/initiate', { channel }))).json()) as {
      call_id: string
    }
    await must(zorro.postForm(`/calls/${call.call_id}/join`))
    const share = (await (await must(zorro.postJson('/screenshare/start', { channel }))).json()) as {
      share_id: string
    }
    await must(zorro.postForm(`/screenshare/${share.share_id}/stop`))
    await must(zelda.postForm(`/calls/${call.call_id}/end`))
  }

  async function writeAboutPeople() {
    const { ada } = world
    const picture = await image()
    for (const person of strangers) {
      await must(person.postForm('/settings', { name_color: '#123456' }))
      await must(person.patchJson('/me', { title: MARK, display_name: MARK }))
      await must(person.putJson('/status', { text: MARK, for_minutes: 5 }))
      for (const state of ['active', 'idle', 'active']) await must(person.postJson('/presence', { state }))
      await must(person.postJson('/presence/override', { override: 'offline' }))
      const body = new FormData()
      body.append('avatar', new File([picture], 'me.png'))
      await must(person.fetch('/avatar', { method: 'POST', body }))
      await must(person.postJson('/sections', { name: MARK }), 201)
    }
    await must(ada.postJson('/groups', { handle: `${MARK}s`, name: MARK, members: ['zelda', 'zorro'] }), 201)
    await must(ada.patchJson(`/groups/${MARK}s`, { add: ['zora'] }))
    await strangers[1]!.send('general', `@${MARK}s come`)
    await must(ada.fetch(`/groups/${MARK}s`, { method: 'DELETE' }))
    await must(ada.postJson('/invites', { channels: ['general'], note: MARK }), 201)
    await must(ada.patchJson('/admin/people/zora', { title: `${MARK} by ada` }))
    await must(ada.postJson('/admin/people', { username: `${MARK}-made` }), 201)
    await must(ada.postJson('/admin/people/zora/deactivate', {}))
    await must(ada.postJson('/admin/people/zora/reactivate', {}))
    await must(strangers[1]!.postJson('/delete_account', { type: 'hard', password: PASSWORD }))
  }

  async function writeAboutChannels(attic: string) {
    const { ada, bob } = world
    const path = `/channel_info/${MARK}`
    await must(bob.postForm(`/public_channels/${MARK}/join`))
    await must(ada.postJson(`/public_channels/${MARK}/add`, { usernames: ['zora'] }))
    await must(ada.patchJson(path, { topic: MARK, description: MARK, name: `${MARK} two` }))
    await must(ada.patchJson(path, { posting: 'managers' }))
    await must(ada.patchJson(path, { posting: 'everyone' }))
    await must(ada.fetch(`${path}/managers/zelda`, { method: 'PUT' }))
    await must(ada.postJson(`/public_channels/${MARK}/remove`, { username: 'zora' }))
    await must(bob.postForm(`/public_channels/${MARK}/leave`))
    await must(ada.postForm(`${path}/archive`))
    await must(ada.postForm(`${path}/unarchive`))
    await must(strangers[0]!.rename(attic, `${MARK} attic two`))
    await must(strangers[0]!.addMember(attic, 'zora'))
    await must(strangers[2]!.leave(attic))
  }

  it('have nothing of strangers and their channels while those do every write', async () => {
    const { ada, bob } = world
    await idsFrom(THEIR_IDS)
    await must(ada.postJson('/public_channels', { name: MARK }), 201)
    const attic = await strangers[0]!.createPrivateChannel(`${MARK} attic`, ['zorro', 'bob'])
    const dm = 'dm:zelda:zorro'
    // Changes of the people they see are listed for 30 seconds, which must not end meanwhile.
    await db.query('update users set rev_ts = rev_ts - 100')
    const tabs = await openAll(guest, ['general', MARK, attic, dm])
    await settled(tabs)
    const before = tabs.map(({ raw }) => raw.length)
    for (const channel of ['general', MARK, attic, dm]) await writeIn(channel)
    await writeAboutChannels(attic)
    await writeAboutPeople()
    await settled(tabs)
    for (const [i, { raw }] of tabs.entries()) {
      expect(raw, `stream ${i}`).to.not.match(THEIRS)
      const added = framesIn(raw.slice(before[i]))
      expect(added, `frames of stream ${i}`).to.deep.equal([])
    }
    const later = await openAll(guest, ['general', MARK, attic, dm])
    await settled(later)
    for (const [i, { raw }] of later.entries()) expect(raw, `new stream ${i}`).to.not.match(THEIRS)

    // The streams were alive.
    await idsFrom(5_000)
    await bob.send(den, 'for the guest alone')
    const ofGuest = [...tabs, ...later].filter(tab => tab.frames.length > 0)
    await Promise.all(
      [tabs[0]!, tabs[1]!, later[0]!].map(tab =>
        tab.waitFor(({ raw }) => raw.includes('for the guest alone')),
      ),
    )
    for (const { raw } of ofGuest) expect(raw).to.not.match(THEIRS)
    const member = await openAll(bob, [MARK, attic])
    await settled(member)
    expect(member.map(({ raw }) => raw).join(''), 'those of a member have them').to.match(THEIRS)
    for (const tab of [...tabs, ...later, ...member]) tab.close()
  })
})
