import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Occurs in every text and name that outsiders must not see; members can read the public channel, so it has a word of its own. */
const SECRET = 'heather'
const OF_VAULT = 'bracken'
const FILM = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom\0\0\0\0', 'latin1'), Buffer.alloc(2_000, 7)])
const SOON = Math.round(Date.now() / 1_000) + 3_600

/** A channel with one of everything, by ada and bob. */
interface Place {
  secret: string
  channel: ChannelId
  root: number
  reply: number
  picture: string
  pdf: string
  film: string
  /** A scheduled message of bob. */
  scheduled: number
  upload: string
}

type Row = [request: string, body: object | undefined, statuses: number[]]

/** :root :reply :picture :pdf :film of a message; they hide as well from who joined later. */
const OF_MESSAGES: Row[] = [
  ['GET /m/:root', undefined, [404]],
  ['GET /message/:root', undefined, [404]],
  ['GET /message/:root?full=1', undefined, [404]],
  ['GET /message/:reply?full=1&extra=1', undefined, [404]],
  ['GET /message/:root/edits', undefined, [404]],
  ['GET /linked_messages?ids=:root,:reply', undefined, [200]],
  ['GET /messages/general?around=:root&extra=1', undefined, [404]],
  ['GET /seen/:root', undefined, [404]],
  ['GET /thread/:root', undefined, [404]],
  ['GET /thread/:reply?limit=1&before=999999', undefined, [404]],
  ['PUT /thread/:root/follow', {}, [404]],
  ['PUT /thread/:reply/follow', {}, [404]],
  ['DELETE /thread/:root/follow', {}, [404]],
  ['POST /thread/:root/read', {}, [404]],
  ['POST /thread/:reply/read', { upto: ':reply' }, [404]],
  ['PUT /pin/:root', {}, [404]],
  ['DELETE /pin/:root', {}, [404]],
  ['PUT /saved/:root', { note: 'mine' }, [404]],
  ['PUT /saved/:root', { remind_in_minutes: 1 }, [404]],
  ['POST /forward/:root', { channel: 'general', text: 'look' }, [404]],
  ['POST /forward/:reply', { channel: 'general', client_id: randomUUID() }, [404]],
  ['POST /react/:root', { reaction: 'tada' }, [404]],
  ['POST /edit/:root', { text: 'mine now' }, [403]],
  ['POST /delete/:root', {}, [403]],
  ['POST /moderate/delete/:root', {}, [404]],
  ['PUT /drafts/general', { text: 'x', thread_id: ':root', updated_ts: 1 }, [404]],
  ['POST /mark_unread/general', { message_id: ':root' }, [404]],
  ['POST /inbox/read', { ids: ['m:root'] }, [204, 400, 404]],
  ['GET /link_preview?url=ORIGIN/m/:root', undefined, [200]],
  ['GET /link_preview?url=ORIGIN/files/:pdf', undefined, [200]],
  ...['picture', 'pdf', 'film'].flatMap(file =>
    ['', '?download=1', '?size=360', '?size=720', '?size=360&still=1', '?size=1'].flatMap((query): Row[] => [
      [`GET /files/:${file}${query}`, undefined, [404]],
      [`HEAD /files/:${file}${query}`, undefined, [404]],
      [`RANGE /files/:${file}${query}`, undefined, [404]],
    ]),
  ),
  ['GET /file_preview/:pdf', undefined, [200]],
  ['GET /file_preview/:film', undefined, [200]],
  ...[
    SECRET,
    OF_VAULT,
    `name:${SECRET}`,
    `name:${OF_VAULT}`,
    'has:pin',
    'has:thread',
    'is:thread',
    'has:pdf',
    'has:video',
    'from:bob',
  ].map((q): Row => [`GET /search?q=${q}`, undefined, [200]]),
  [`GET /search_messages?q=${SECRET}`, undefined, [200]],
  ...['/saved', '/saved?state=done', '/threads', '/threads?unread=1', '/scheduled', '/drafts', '/inbox'].map(
    (path): Row => [`GET ${path}`, undefined, [200]],
  ),
  ['GET /mentions', undefined, [200]],
]

/** :c the channel itself, and what belongs to another person of it. */
const OF_CHANNELS: Row[] = [
  ['GET /messages/:c?extra=1', undefined, [403]],
  ['GET /messages/:c?around=:root&extra=1', undefined, [403]],
  ['POST /send/:c', { text: 'let me in' }, [403]],
  ['POST /send/:c?files=all', { text: 'let me in', reply_to_id: ':root' }, [403]],
  ['POST /send/:c?files=all', { uploads: ':upload' }, [403]],
  ['GET /pins/:c', undefined, [404]],
  ['GET /threads?channel=:c', undefined, [404]],
  ['POST /scheduled', { channel: ':c', text: 'x', send_ts: SOON }, [403]],
  ['PUT /drafts/:c', { text: 'x', updated_ts: 1 }, [404]],
  ['PUT /drafts/:c', { text: 'x', thread_id: ':root', updated_ts: 1 }, [404]],
  ['POST /forward/OWN', { channel: ':c' }, [403, 404]],
  ['GET /channel_files/:c', undefined, [404]],
  [`GET /channel_files/:c?type=pdf&q=${SECRET}&sender=bob`, undefined, [404]],
  ['GET /channel_days/:c?month=2026-11', undefined, [404]],
  ['GET /channel_info/:c', undefined, [404]],
  ['GET /search?q=in::c', undefined, [200]],
  ['GET /search?q=has:pin+in::c', undefined, [200]],
  ['PATCH /scheduled/:scheduled', { text: 'mine' }, [404]],
  ['PATCH /scheduled/:scheduled', { now: true }, [404]],
  ['DELETE /scheduled/:scheduled', {}, [204]],
  ['PUT /uploads/:upload', { name: `${SECRET}.bin`, size: 9 }, [409]],
  ['PART /uploads/:upload', undefined, [404]],
  ['DELETE /uploads/:upload', {}, [204]],
  ['POST /send/general?files=all', { uploads: ':upload' }, [409]],
]

const FORMS = /^POST \/(send|edit|react|delete)\//

describe('messages of a channel that a person is not in', function () {
  this.timeout(300_000)
  let world: World
  let db: pg.Client
  let guest: Person
  let late: Person
  let den: Place
  let dm: Place
  let vault: Place
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'], keep_edits: true } })
    const { ada, bob, cleo } = world
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    const channel = await world.privateChannel('den', [ada, bob, cleo])
    den = await furnish(channel)
    dm = await furnish('dm:ada:bob' as ChannelId)
    late = await world.lateJoiner(channel, ada)
    await ada.postJson('/public_channels', { name: 'Vault' })
    await bob.postForm('/public_channels/vault/join')
    vault = await furnish('vault' as ChannelId, OF_VAULT)
    guest = await new Person('greta', world.api[0]!.url).signUp()
    const { status } = await ada.patchJson('/admin/people/greta', { role: 'guest', channels: ['general'] })
    expect(status).to.equal(204)

    // Items that a member keeps do not stay readable.
    await cleo.putJson(`/saved/${den.root}`, { note: 'of cleo', remind_ts: SOON })
    await cleo.fetch(`/thread/${den.root}/follow`, { method: 'PUT' })
    await cleo.putJson(`/drafts/${channel}`, { text: 'of cleo', thread_id: den.root, updated_ts: 1 })
    const scheduled = await cleo.postJson('/scheduled', { channel, text: 'of cleo', send_ts: SOON })
    expect(scheduled.status).to.equal(201)
    expect(await cleo.get('/saved').then(text => JSON.stringify(text))).to.include(SECRET)
    await cleo.leave(channel)
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  async function furnish(channel: ChannelId, secret = SECRET): Promise<Place> {
    const { ada, bob } = world
    const root = await bob.send(channel, `${secret} for @ada, @cleo and @everyone`)
    await bob.edit(root, `${secret} again`)
    // Edits within a minute of the message are not kept.
    await world.backing.admin(
      `insert into message_edits (message_id, ts, content) values (${root}, 1, '${secret} first')`,
    )
    const reply = await ada.send(channel, `${secret}, @cleo`, { reply_to_id: String(root) })
    expect((await ada.fetch(`/pin/${root}`, { method: 'PUT' })).status).to.equal(204)
    const bytes = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const files = [
      { name: `${secret}.png`, bytes },
      { name: `${secret}.pdf`, bytes: Buffer.from('%PDF-1.4') },
      { name: `${secret}.mp4`, bytes: FILM },
    ]
    expect((await bob.sendFiles(channel, files)).status).to.equal(200)
    const names = (await bob.messages(channel)).flatMap(row => row.filename ?? []).slice(-3)
    const upload = randomUUID()
    await bob.putJson(`/uploads/${upload}`, { name: `${secret}.bin`, size: 9 })
    const made = await bob.postJson('/scheduled', { channel, text: secret, send_ts: SOON })
    const { id: scheduled } = (await made.json()) as ScheduledPayload
    return {
      secret,
      channel,
      root,
      reply,
      picture: names[0]!,
      pdf: names[1]!,
      film: names[2]!,
      scheduled,
      upload,
    }
  }

  const filled = (text: string, place: Place, own: number) =>
    text
      // Ids in JSON are numbers.
      .replaceAll(/":(root|reply)"/g, (_, name: 'root' | 'reply') => String(place[name]))
      .replaceAll(/:(root|reply|picture|pdf|film|scheduled|upload)\b/g, (_, name: keyof Place) =>
        String(place[name]),
      )
      .replaceAll(/:c\b/g, place.channel)
      .replaceAll('OWN', String(own))
      .replaceAll('ORIGIN', world.api[0]!.url)

  async function ask(who: Person, place: Place, [request, body]: Row, own: number) {
    const [method, path] = filled(request, place, own).split(' ') as [string, string]
    if (method === 'RANGE') return who.fetch(path, { headers: { Range: 'bytes=0-15' } })
    if (method === 'PART') return who.appendPart(place.upload, 0, Buffer.from('123'))
    if (body === undefined) return who.fetch(path, { method })
    const text = filled(JSON.stringify(body), place, own)
    if (FORMS.test(request)) {
      const fields = JSON.parse(text) as Record<string, unknown>
      return who.postForm(
        path,
        Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
      )
    }
    return who.fetch(path, { method, headers: { 'Content-Type': 'application/json' }, body: text })
  }

  /** The rows of all tables that these requests could change. */
  async function stored() {
    const found: string[] = []
    for (const table of [
      ...[
        'messages',
        'reactions',
        'pins',
        'saved',
        'scheduled',
        'drafts',
        'thread_follows',
        'uploads',
        'files',
      ],
      ...['message_edits', 'activity', 'read_watermarks', 'made_once'],
    ]) {
      const { rows } = await db.query(`select to_jsonb(t)::text as row from ${table} t order by 1`)
      found.push(`${table} ${JSON.stringify(rows)}`)
    }
    return found
  }

  const all = [...OF_MESSAGES, ...OF_CHANNELS]
  const outsiders: [title: string, who: () => Person, place: () => Place, rows: Row[]][] = [
    ['a stranger to a private channel', () => world.mallory, () => den, all],
    ['a stranger to a DM', () => world.mallory, () => dm, all],
    ['a former member, who saved, followed and wrote in it', () => world.cleo, () => den, all],
    ['a guest to a private channel', () => guest, () => den, all],
    ['a guest to a DM', () => guest, () => dm, all],
    ['a guest to a public channel', () => guest, () => vault, all],
    ['a late joiner, to what was before', () => late, () => den, OF_MESSAGES],
  ]
  for (const [title, who, place, rows] of outsiders) {
    it(`${title}: every request is refused or without it, and changes nothing`, async () => {
      const own = await who().send('general', 'an own message')
      const before = await stored()
      for (const row of rows) {
        const response = await ask(who(), place(), row, own)
        const text = await response.text()
        const about = `${row[0]} ${JSON.stringify(row[1] ?? '')}`
        expect(response.status, `${about}: ${text.slice(0, 200)}`).to.be.oneOf(row[2])
        const sent = `${text} ${JSON.stringify([...response.headers])}`
        // A link preview repeats its address.
        for (const hidden of [place().secret, place().picture, place().pdf, place().film])
          expect(sent.replaceAll(`${world.api[0]!.url}/files/${place().pdf}`, ''), about).to.not.include(
            hidden,
          )
        expect(response.headers.get('Content-Range'), about).to.equal(null)
      }
      expect(await stored()).to.deep.equal(before)
    })
  }

  it('the same requests work for a member', async () => {
    const { ada } = world
    const own = await ada.send('general', 'an own message')
    const reads = all.filter(([request]) =>
      /^(GET|HEAD|RANGE) \/(message\/|m\/|thread|files|pins|channel_)/.test(request),
    )
    for (const row of reads)
      expect((await ask(ada, den, row, own)).status, row[0]).to.be.oneOf(
        row[0].startsWith('GET /m/') ? [302] : [200, 206],
      )
  })
})
