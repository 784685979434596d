import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { ENDPOINTS } from './endpoints.ts'
import type { Caller } from './middleware/endpoint.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Occurs in every text that outsiders must not see. */
const SECRET = 'heather'

const FORBIDDEN = [403, 'forbidden'] as const
const NOT_FOUND = [404, 'not found'] as const
const DENIED = [403, { error: 'access denied' }] as const
const NOTHING = [200, []] as const
/** Checked for every response. */
const NO_SECRET = [200] as const

type Answer = readonly [status: number, body?: unknown]
type Row = [request: string, body: object | undefined, answer: Answer]

/**
 * Tests outsiders and former members against every endpoint that takes an id (interface 4, 5.8) and
 * every event of a stream (6). A new endpoint with an id needs a row here.
 *   :c channel   :n its number   :m message   :f file   :call   :share
 */
const OF_ANY_CHANNEL: Row[] = [
  ['GET /messages/:c', undefined, FORBIDDEN],
  ['GET /messages/:c?limit=5', undefined, FORBIDDEN],
  ['GET /messages/:c?around=:m', undefined, FORBIDDEN],
  ['GET /messages/general?around=:m', undefined, NOT_FOUND],
  ['POST /send/:c', { text: 'let me in' }, FORBIDDEN],
  ['GET /message/:m', undefined, NOT_FOUND],
  ['GET /m/:m', undefined, NOT_FOUND],
  ['POST /edit/:m', { text: 'mine now' }, FORBIDDEN],
  ['POST /delete/:m', {}, FORBIDDEN],
  ['POST /react/:m', { reaction: 'tada' }, NOT_FOUND],
  ['POST /moderate/delete/:m', {}, [404]],
  ['POST /mark_read/:c', {}, FORBIDDEN],
  ['GET /read_receipts/:c', undefined, FORBIDDEN],
  ['GET /seen/:m', undefined, NOT_FOUND],
  ['GET /thread/:m', undefined, [404]],
  ['PUT /thread/:m/follow', {}, [404]],
  ['DELETE /thread/:m/follow', {}, [404]],
  ['POST /thread/:m/read', {}, [404]],
  ['GET /message/:m/edits', undefined, [404]],
  ['GET /channel_days/:c?month=2026-03', undefined, [404]],
  ['POST /forward/:m', { channel: 'general' }, [404]],
  ['POST /scheduled', { channel: ':c', text: 'x', send_ts: Math.round(Date.now() / 1_000) + 3_600 }, [403]],
  ['POST /command/:c', { text: '/deploy' }, [404]],
  ['GET /hooks_in?channel=:c', undefined, [404]],
  ['POST /hooks_in', { name: 'Deploys', channel: ':c' }, [404]],
  ['PUT /drafts/:c', { text: 'x', updated_ts: 1 }, [404]],
  ['PUT /saved/:m', {}, [404]],
  ['PATCH /saved/:m', { done: true }, [404]],
  ['DELETE /saved/:m', {}, [204, '']],
  ['PUT /pin/:m', {}, [404]],
  ['DELETE /pin/:m', {}, [404]],
  ['GET /pins/:c', undefined, [404]],
  ['GET /typing/:c', undefined, NOTHING],
  ['POST /typing/:c', {}, [204, '']],
  ['GET /channel_members/:c', undefined, FORBIDDEN],
  ['GET /files/:f', undefined, NOT_FOUND],
  ['GET /files/:f?size=360', undefined, NOT_FOUND],
  ['GET /file_preview/:f', undefined, [200, {}]],
  ['GET /search_messages?channel=:c', undefined, NOTHING],
  ['GET /search_messages?channel=:c&q=heather', undefined, NOTHING],
  ['GET /search_messages?q=heather', undefined, NOTHING],
  ['GET /search_messages?start=0&has=file', undefined, NOTHING],
  ['GET /search?q=in::c', undefined, NO_SECRET],
  ['GET /search?q=heather', undefined, NO_SECRET],
  ['GET /search?q=heather+in::c', undefined, NO_SECRET],
  ['GET /search?q=has:file', undefined, NO_SECRET],
  ['POST /mark_unread/:c', { message_id: 1 }, [404]],
  ['PATCH /channel_prefs/:c', { muted_for_minutes: 60 }, [404]],
  ['POST /dms/close', { channel: ':c' }, [400]],
  ['GET /channel_info/:c', undefined, [404]],
  ['GET /channel_people/:c', undefined, [404]],
  ['GET /channel_files/:c', undefined, [404]],
  ['PATCH /channel_info/:c', { topic: 'mine now' }, [404]],
  ['POST /channel_info/:c/archive', {}, [404]],
  ['POST /channel_info/:c/unarchive', {}, [404]],
  ['PUT /channel_info/:c/managers/:m', {}, [404]],
  ['DELETE /channel_info/:c/managers/:m', {}, [404]],
  ['POST /public_channels/:c/join', {}, [404]],
  ['POST /public_channels/:c/leave', {}, [404]],
  ['POST /public_channels/:c/add', { usernames: ['mallory'] }, [404]],
  ['POST /public_channels/:c/remove', { username: 'ada' }, [404]],

  ['POST /calls/initiate', { channel: ':c' }, DENIED],
  ['POST /calls/:call/accept', {}, DENIED],
  ['POST /calls/:call/join', {}, DENIED],
  ['POST /calls/:call/reject', {}, DENIED],
  ['POST /calls/:call/end', {}, DENIED],
  ['POST /calls/:call/leave', {}, DENIED],
  ['POST /calls/:call/invite', { username: 'mallory' }, DENIED],
  ['POST /calls/:call/signal', { to: 'ada', type: 'offer', payload: {} }, DENIED],
  ['GET /calls/:call/signals', undefined, DENIED],
  ['POST /calls/:call/screenshare', { on: true }, DENIED],
  ['GET /calls/:call/state', undefined, DENIED],
  ['GET /running_calls', undefined, NOTHING],
  ['POST /calls/:call/media?init=1&mime=video/webm', {}, DENIED],
  ['GET /calls/:call/media?sender=ada', undefined, DENIED],

  ['POST /screenshare/start', { channel: ':c' }, DENIED],
  ['GET /screenshare/active?channel=:c', undefined, NOTHING],
  ['POST /screenshare/:share/stop', {}, DENIED],
  ['POST /screenshare/:share/signal', { to: 'ada', type: 'offer', payload: {} }, DENIED],
  ['GET /screenshare/:share/signals', undefined, DENIED],
  ['POST /screenshare/:share/media', {}, DENIED],
  ['GET /screenshare/:share/media', undefined, DENIED],
]
const OF_A_PRIVATE_CHANNEL: Row[] = [
  ['POST /private_channels/:n/rename', { name: 'mine now' }, FORBIDDEN],
  ['POST /private_channels/:n/add_member', { username: 'mallory' }, FORBIDDEN],
  ['POST /private_channels/:n/remove_member', { username: 'ada' }, [404]],
  ['POST /private_channels/:n/leave', {}, FORBIDDEN],
  ['GET /private_channels/:n/members', undefined, FORBIDDEN],
]
/** These take a form, all others JSON. */
const FORMS = /^POST \/(send|edit|react)\//

describe('non-members (interface 4.2, 4.3, 5, 7)', () => {
  let world: World
  let ada: Person
  let bob: Person
  let cleo: Person
  let mallory: Person
  let gateway: RunningService
  let den: Place
  let dm: Place
  /** A message that cleo sent while she was a member. */
  let cleos: number

  interface Place {
    channel: ChannelId
    message: number
    file: string
    call: string
    share: string
  }

  before(async () => {
    world = await newWorld()
    ;({ ada, bob, cleo, mallory } = world)
    gateway = await startService('events', world.backing.env)
    const channel = await world.privateChannel(`den of ${SECRET}`, [ada, bob, cleo])
    cleos = await cleo.send(channel, `${SECRET} that cleo wrote`)
    await cleo.leave(channel)
    den = await furnish(channel)
    dm = await furnish('dm:ada:bob')
  })
  after(async () => {
    await gateway.stop()
    await world.end()
  })

  /** Creates one of everything, by ada and bob. */
  async function furnish(channel: ChannelId): Promise<Place> {
    const message = await ada.send(channel, `${SECRET} for @bob, @cleo and @everyone`)
    await bob.react(message, 'tada')
    await ada.sendImages(channel, [{ name: 'secret.png', bytes: PIXEL }])
    const file = (await ada.messages(channel)).find(row => row.filename !== null)!.filename!
    const { call_id } = await answerOf<{ call_id: string }>(ada.postJson('/calls/initiate', { channel }))
    await bob.postForm(`/calls/${call_id}/accept`)
    await bob.postJson(`/calls/${call_id}/signal`, { to: 'ada', type: 'offer', payload: { sdp: SECRET } })
    const { share_id } = await answerOf<{ share_id: string }>(ada.postJson('/screenshare/start', { channel }))
    return { channel, message, file, call: call_id, share: share_id }
  }

  async function answerOf<T>(request: Promise<Response>): Promise<T> {
    const response = await request
    expect(response.status, response.url).to.equal(200)
    return (await response.json()) as T
  }

  /** Everything that its members can see of it. */
  async function insideOf({ channel, message, call, share }: Place) {
    const answers: [string, unknown][] = []
    for (const path of [
      `/messages/${channel}`,
      `/message/${message}`,
      `/typing/${channel}`,
      `/read_receipts/${channel}`,
      `/channel_members/${channel}`,
      `/calls/${call}/state`,
      `/calls/${call}/signals`,
      `/screenshare/active?channel=${channel}`,
      `/screenshare/${share}/signals`,
      '/private_channels',
      '/dms',
    ]) {
      answers.push([path, await ada.get(path)])
    }
    return answers
  }

  const filled = (text: string, place: Place) =>
    text
      .replaceAll(':call', place.call)
      .replaceAll(':share', place.share)
      .replaceAll(':c', place.channel)
      .replaceAll(':n', place.channel.replace('private:', ''))
      .replaceAll(':m', String(place.message))
      .replaceAll(':f', place.file)

  async function ask(who: Person, place: Place, [request, body]: Row) {
    const [method, path] = filled(request, place).split(' ') as [string, string]
    if (method === 'GET') return who.fetch(path)
    const fields = JSON.parse(filled(JSON.stringify(body), place)) as Record<string, string>
    if (FORMS.test(request)) return who.postForm(path, fields)
    if (!path.includes('/media'))
      return who.fetch(path, {
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
      })
    return who.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: 'chunk',
    })
  }

  /** Asserts that the response contains nothing of the channel. */
  function expectNoSecret(text: string, place: Place, why: string) {
    for (const secret of [SECRET, place.file, place.call, place.share]) {
      expect(text, why).to.not.include(secret)
    }
  }

  const outsiders: [name: string, who: () => Person, place: () => Place, rows: Row[]][] = [
    [
      'a stranger to a private channel',
      () => mallory,
      () => den,
      [...OF_ANY_CHANNEL, ...OF_A_PRIVATE_CHANNEL],
    ],
    ['a former member', () => cleo, () => den, [...OF_ANY_CHANNEL, ...OF_A_PRIVATE_CHANNEL]],
    ['a stranger to a direct message', () => mallory, () => dm, OF_ANY_CHANNEL],
  ]
  for (const [name, who, place, rows] of outsiders) {
    describe(name, () => {
      let inside: Awaited<ReturnType<typeof insideOf>>
      before(async () => {
        inside = await insideOf(place())
      })

      for (const row of rows) {
        const [request, , [status, body]] = row
        it(`${request}: ${status} ${JSON.stringify(body ?? '')}`, async () => {
          const response = await ask(who(), place(), row)
          const text = await response.text()
          expect(response.status, text).to.equal(status)
          if (typeof body === 'string') expect(text).to.equal(body)
          else if (body !== undefined) expect(JSON.parse(text)).to.deep.equal(body)
          expectNoSecret(text, place(), request)
        })
      }

      it('gets nothing of it in any list', async () => {
        for (const path of [
          '/private_channels',
          '/dms',
          '/mentions',
          '/unread_count',
          '/channel_unreads',
          '/calls/incoming',
          '/channels',
          '/messages/general',
        ]) {
          const text = JSON.stringify(await who().get(path))
          expectNoSecret(text, place(), path)
          expect(text, path).to.not.include(place().channel)
        }
      })

      it('cannot quote it', async () => {
        const id = await who().send('general', 'as was said', { reply_to_id: String(place().message) })
        const rows = await who().get<MessagePayload[]>('/messages/general?limit=5')
        expect(rows.find(message => message.id === id)!.reply_to_id).to.equal(null)
      })

      it('has changed nothing by these requests', async () => {
        expect(await insideOf(place())).to.deep.equal(inside)
      })
    })
  }

  it('a former member cannot change their own messages', async () => {
    expect((await cleo.edit(cleos, 'nothing')).status).to.equal(403)
    expect((await cleo.delete(cleos)).status).to.equal(403)
    expect((await cleo.react(cleos, 'tada')).status).to.equal(404)
    expect((await cleo.fetch(`/message/${cleos}`)).status).to.equal(404)
    expect((await ada.get<MessagePayload>(`/message/${cleos}`)).content).to.equal(`${SECRET} that cleo wrote`)
  })

  describe('on a stream that asks for the channel (interface 6, rule 1)', () => {
    /** Causes every event that the channel can have, and then one that everybody sees. */
    async function stir({ channel, message, share, call }: Place, last: string) {
      const id = await ada.send(channel, `${SECRET} again, @everyone, @cleo, @mallory`)
      await ada.postForm(`/typing/${channel}`)
      await ada.edit(id, `${SECRET}, edited, @mallory`)
      await bob.react(message, 'fire')
      await bob.markRead(channel)
      await ada.postForm(`/calls/${call}/end`)
      await ada.postForm(`/screenshare/${share}/stop`)
      await ada.postJson('/screenshare/start', { channel })
      await answerOf(ada.postJson('/calls/initiate', { channel }))
      await ada.delete(id)
      await ada.send('general', last)
    }

    const CHANNEL_EVENTS = ['messages', 'typing', 'read_receipts', 'screenshares']
    const GLOBAL_EVENTS = [
      'online_users',
      'dms',
      'channel_unreads',
      'private_channels',
      'mentions',
      'unread_count',
      'incoming_calls',
    ]

    for (const [name, who, place] of outsiders) {
      it(`${name} gets none of its events, and their own lists without it`, async () => {
        const { channel } = place()
        const tab = await openTab(gateway.url, who().cookie, { channel })
        const insider = await openTab(gateway.url, bob.cookie, { channel })
        await tab.waitFor(({ last }) => GLOBAL_EVENTS.every(event => event in last))
        await insider.waitFor(({ last }) => CHANNEL_EVENTS.every(event => event in last))

        const seen = insider.frames.length
        const farewell = `that was it for ${name}, @everyone`
        await stir(place(), farewell)
        await tab.waitFor(({ last }) => last.mentions?.some(({ content }) => content === farewell))
        // State that cannot be restored: each call and share is another.
        const stirred = ['messages', 'read_receipts', 'screenshares', 'incoming_calls'] as const
        await insider.waitFor(() => stirred.every(event => insider.events().slice(seen).includes(event)))

        for (const event of CHANNEL_EVENTS) expect(tab.events()).to.not.include(event)
        expectNoSecret(tab.raw, place(), name)
        expect(tab.raw).to.not.include(channel)
        const { last } = tab
        expect([last.private_channels, last.dms, last.incoming_calls]).to.deep.equal([[], [], []])
        expect(last.unread_count).to.deep.equal({ count: 0 })
        for (const open of [tab, insider]) open.close()
        await who().markRead('general')
        await tidy(place())
      })
    }

    /** Lets the next one call and share again. */
    async function tidy(place: Place) {
      const [share] = await ada.get<{ share_id: string }[]>(`/screenshare/active?channel=${place.channel}`)
      place.share = share!.share_id
      const [call] = await bob.get<{ call_id: string; channel: string }[]>('/calls/incoming')
      place.call = call!.call_id
    }
  })

  it('the table contains every endpoint that takes an id', () => {
    const known = [...OF_ANY_CHANNEL, ...OF_A_PRIVATE_CHANNEL].map(([request]) =>
      request.replace(/\?.*/, '').replaceAll(/:\w+/g, ':'),
    )
    const OF_A_CHANNEL: readonly Caller[] = ['member', 'author', 'manager', 'moderator']
    const missing = ENDPOINTS.filter(({ path, who }) => path.includes(':') && OF_A_CHANNEL.includes(who))
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, ':')}`)
      .filter(shape => !known.includes(shape))
    expect(missing).to.deep.equal([])
  })
})
