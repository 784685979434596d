import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import { changeTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const SETTINGS = { rate_limit_enabled: false, channels: ['general', 'design', 'quiet'] }

/** Characters that show nothing: zero width, joiner, empty braille, filler, soft hyphen, override, a mark alone. */
const INVISIBLE = ['\u200b', '\u2060 \u200d', '\u2800', '\u3164', '\u00ad', '\u202e', '\u0301']

describe('messages (interface 2.3, 3.4, 4.3, 7, 8)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2, settings: SETTINGS })
  })
  after(() => world.end())

  const picture = () =>
    sharp({ create: { width: 8, height: 6, channels: 3, background: '#c0ffee' } })
      .png()
      .toBuffer()
  /** An endless file without a Content-Length. */
  const endlessUpload = () => {
    let sent = false
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const head = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\n\r\n'
        controller.enqueue(sent ? new Uint8Array(1024 * 1024) : new TextEncoder().encode(head))
        sent = true
      },
    })
  }
  const last = async (channel: string) => (await world.ada.messages(channel)).at(-1)!

  describe('sending (interface 4.3)', () => {
    it('stores a text without its trailing whitespace and returns ok with its id', async () => {
      const response = await world.ada.postForm('/send/general', { text: '  hello there \n ' })
      expect(await response.text()).to.equal('ok')
      const message = await last('general')
      expect(message).to.include({
        sender: 'ada',
        channel: 'general',
        content: '  hello there',
        filename: null,
      })
      expect(message).to.include({
        edited: 0,
        deleted: 0,
        reactions: null,
        mentions: null,
        content_type: 'text',
      })
      expect(response.headers.get('X-Message-Id')).to.equal(String(message.id))
    })

    it('has exactly the fields of the interface and content_type', async () => {
      expect(Object.keys(await last('general'))).to.have.members(
        'id channel sender content filename ts edited edited_ts deleted deleted_ts reply_to_id reactions reactions_ts mentions content_type'.split(
          ' ',
        ),
      )
    })

    it('marks every row of a quiet send, which mentions by name alone', async () => {
      const images = [{ name: 'hill.png', bytes: await picture() }]
      const quiet = await world.ada.sendImages('design', images, '@everyone look, @bob', { quiet: '1' })
      expect(quiet.headers.get('X-Mention-Ignored')).to.equal('everyone')
      const rows = await world.bob.get<MessagePayload[]>('/messages/design?extra=1&limit=2')
      expect(rows.map(({ extra }) => extra?.quiet)).to.deep.equal([true, true])
      expect(rows.map(({ mentions }) => mentions)).to.deep.equal(['["bob"]', null])
      const unread = await world.bob.get<Record<string, number>>('/channel_unreads')
      expect(unread['design']).to.be.greaterThan(1)
      await world.ada.postForm('/send/design', { text: 'aloud', quiet: '0' })
      const [loud] = await world.bob.get<MessagePayload[]>('/messages/design?extra=1&limit=1')
      expect(loud).to.not.have.property('extra')
    })

    it('returns 400 for an empty message, and 403 in an unknown channel', async () => {
      for (const text of [' \n ', ...INVISIBLE]) {
        const empty = await world.ada.postForm('/send/general', { text })
        expect([empty.status, await empty.text()], text).to.deep.equal([400, 'empty'])
      }
      const nowhere = await world.ada.postForm('/send/nowhere', { text: 'x' })
      expect([nowhere.status, await nowhere.text()]).to.deep.equal([403, 'forbidden'])
    })

    it('stores the text in one row and each image in another', async () => {
      const response = await world.ada.sendImages(
        'design',
        [
          { name: 'one.png', bytes: await picture() },
          { name: 'TWO.PNG', bytes: await picture() },
        ],
        'two pictures',
      )
      expect(response.status).to.equal(200)
      const rows = (await world.bob.messages('design')).slice(-3)
      expect(rows.map(row => row.content)).to.deep.equal(['two pictures', '', ''])
      expect(rows[1]!.filename).to.match(/^[0-9a-f]{32}\.png$/)
      expect(rows[2]!.filename).to.match(/^[0-9a-f]{32}\.png$/)
    })

    it('accepts a hundred images at once, and refuses more with a sentence', async () => {
      const bytes = await picture()
      const images = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `${i}.png`, bytes }))
      expect((await world.ada.sendImages('quiet', images(100), 'an album')).status).to.equal(200)
      const rows = (await world.ada.messages('quiet')).slice(-101)
      expect(rows.map(row => row.filename !== null)).to.deep.equal([false, ...Array(100).fill(true)])
      const tooMany = await world.ada.sendImages('quiet', images(101))
      expect([tooMany.status, await tooMany.text()]).to.deep.equal([400, 'at most 100 files'])
    })

    it('skips files of other types silently, including disguised ones', async () => {
      const response = await world.ada.sendImages(
        'design',
        [
          { name: 'notes.txt', bytes: Buffer.from('notes') },
          { name: 'evil.png', bytes: Buffer.from('<svg onload="alert(1)">') },
          { name: 'wrong.jpg', bytes: await picture() },
        ],
        'only the text',
      )
      expect(response.status).to.equal(200)
      expect(await last('design')).to.include({ content: 'only the text', filename: null })
      const nothing = await world.ada.sendImages('design', [{ name: 'a.txt', bytes: Buffer.from('a') }])
      expect([nothing.status, await nothing.text()]).to.deep.equal([400, 'empty'])
    })

    it('refuses what was written for another channel, and stores nothing', async () => {
      const { ada, bob } = world
      const send = async (channel: string, composed_for: string, client_id = randomUUID()) => {
        const sent = await ada.postForm(`/send/${channel}`, { text: 'the keys', composed_for, client_id })
        return [sent.status, sent.ok ? sent.headers.get('X-Message-Id') : await sent.text()]
      }
      const refusal = [409, 'this was written for another channel']
      const before = await bob.messages('general')
      for (const other of ['design', 'nowhere', 'dm:ada:bob', 'dm:bob:cleo', 'priv:999', '', 'x'.repeat(300)])
        expect(await send('general', other), other).to.deep.equal(refusal)
      expect(await send('dm:ada:bob', 'general')).to.deep.equal(refusal)
      const files = await ada.sendImages('general', [{ name: 'a.png', bytes: await picture() }], '', {
        composed_for: 'design',
      })
      expect([files.status, await files.text()]).to.deep.equal(refusal)
      expect(await bob.messages('general')).to.deep.equal(before)
      const again = randomUUID()
      const first = await send('general', 'general', again)
      expect(first[0]).to.equal(200)
      expect(await send('general', 'general', again), 'repeated').to.deep.equal(first)
      expect(await send('general', 'design', again), 'repeated for another').to.deep.equal(refusal)
      expect((await send('dm:ada:mallory', 'dm:MALLORY:ada'))[0], 'names in any order').to.equal(200)
    })

    it('refuses a text or file over its limit with 413 and a sentence, and stores nothing', async () => {
      const before = (await world.ada.messages('general')).length
      const long = await world.ada.postForm('/send/general', { text: 'x'.repeat(10_001) })
      expect([long.status, await long.text()]).to.deep.equal([413, 'message too long (max 10000 characters)'])
      const large = await world.ada.sendImages('general', [
        { name: 'a.png', bytes: Buffer.alloc(17 * 1024 * 1024) },
      ])
      expect(large.status).to.equal(413)
      expect(await large.text()).to.match(/^request too large \(max 16 MB\)$/)
      const endless = await fetch(`${world.ada.at}/send/general`, {
        method: 'POST',
        headers: { Cookie: world.ada.cookie, 'Content-Type': 'multipart/form-data; boundary=b' },
        body: endlessUpload(),
        duplex: 'half',
      } as RequestInit)
      expect(endless.status).to.equal(413)
      expect(await world.ada.messages('general')).to.have.length(before)
      const incoming = fileURLToPath(`${world.backing.env.FILES_URL}/incoming`)
      await eventually(() => expect(readdirSync(incoming)).to.deep.equal([]))
      await world.ada.send('general', '😀'.repeat(10_000))
    })

    it('refuses a file over the limit of the settings with 413', async () => {
      const bytes = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'teal' } })
        .png({ compressionLevel: 0 })
        .toBuffer()
      world.backing.settings({ ...SETTINGS, max_upload_size_mb: 0.05 })
      try {
        await eventually(async () => {
          const answer = await world.ada.sendImages('design', [{ name: 'a.png', bytes }], 'too large')
          expect([answer.status, await answer.text()]).to.deep.equal([413, 'file too large (max 0.05 MB)'])
        })
      } finally {
        world.backing.settings(SETTINGS)
        await eventually(async () => {
          expect((await world.ada.sendImages('design', [{ name: 'a.png', bytes }])).status).to.equal(200)
        })
      }
      expect(await last('design')).to.include({ content: '' })
    })

    it('stores a repeated send once, also when both arrive at once at two processes', async () => {
      const client_id = randomUUID()
      const fields = { text: 'only once', client_id }
      const twins = await Promise.all(
        world.api.map(api =>
          fetch(`${api.url}/send/quiet`, {
            method: 'POST',
            headers: { Cookie: world.ada.cookie },
            body: new URLSearchParams(fields),
          }),
        ),
      )
      const again = await world.ada.postForm('/send/quiet', fields)
      const ids = [...twins, again].map(response => response.headers.get('X-Message-Id'))
      expect(new Set(ids)).to.have.length(1)
      expect((await world.ada.messages('quiet')).filter(row => row.content === 'only once')).to.have.length(1)
    })

    it('treats a repeated send as new after a day, once, also when two arrive at once', async () => {
      const fields = { text: 'every day', client_id: randomUUID() }
      const first = await world.ada.send('quiet', fields.text, fields)
      const db = new pg.Client(world.backing.env.DATABASE_URL)
      await db.connect()
      try {
        for (let day = 1; day <= 3; day++) {
          await db.query('update client_ids set ts = ts - 86401 where client_id = $1', [fields.client_id])
          const ids = await Promise.all(
            [...world.api, ...world.api].map(async api => {
              const headers = { Cookie: world.ada.cookie }
              const body = new URLSearchParams(fields)
              const response = await fetch(`${api.url}/send/quiet`, { method: 'POST', headers, body })
              expect(response.status).to.equal(200)
              return response.headers.get('X-Message-Id')
            }),
          )
          expect(new Set(ids)).to.have.length(1)
          expect(Number(ids[0])).to.be.greaterThan(first)
        }
      } finally {
        await db.end()
      }
      const same = (await world.ada.messages('quiet')).filter(row => row.content === 'every day')
      expect(same).to.have.length(4)
    })

    it('keeps a reply to a message of the same channel, and drops one to another channel', async () => {
      const parent = await world.ada.send('general', 'parent')
      const reply = await world.bob.send('general', 'child', { reply_to_id: String(parent) })
      const stray = await world.bob.send('design', 'stray', { reply_to_id: String(parent) })
      const find = async (channel: string, id: number) =>
        (await world.ada.messages(channel)).find(row => row.id === id)
      expect((await find('general', reply))!.reply_to_id).to.equal(parent)
      expect((await find('design', stray))!.reply_to_id).to.equal(null)
    })

    it('stores mentions in registered spelling, each once, and @everyone alone', async () => {
      await world.ada.send('general', 'hi @BOB and @bob, mail cleo@ada.example')
      expect((await last('general')).mentions).to.equal('["bob"]')
      await world.ada.send('general', '@everyone @bob lunch')
      expect((await last('general')).mentions).to.equal('["@everyone"]')
      await world.ada.send('general', '@nobody-at-all')
      expect((await last('general')).mentions).to.equal(null)
    })
  })

  describe('direct messages (interface 2.2)', () => {
    it('accept their participants in any order and case, as one channel', async () => {
      await world.ada.send('dm:bob:ada', 'psst')
      await world.bob.send('dm:ADA:bob:bob', 'yes?')
      const rows = await world.ada.messages('dm:ada:bob')
      expect(rows.map(row => [row.channel, row.content])).to.deep.equal([
        ['dm:ada:bob', 'psst'],
        ['dm:ada:bob', 'yes?'],
      ])
    })

    it('are inaccessible to everybody else', async () => {
      for (const path of [
        '/messages/dm:ada:bob',
        '/read_receipts/dm:ada:bob',
        '/channel_members/dm:ada:bob',
      ]) {
        const response = await world.mallory.fetch(path)
        expect([path, response.status, await response.text()]).to.deep.equal([path, 403, 'forbidden'])
      }
      expect((await world.mallory.postForm('/send/dm:ada:bob', { text: 'hi' })).status).to.equal(403)
      const [first] = await world.ada.messages('dm:ada:bob')
      for (const attempt of [
        world.mallory.fetch(`/message/${first!.id}`),
        world.mallory.react(first!.id, 'tada'),
      ]) {
        expect((await attempt).status).to.equal(404)
      }
      expect((await world.mallory.edit(first!.id, 'x')).status).to.equal(403)
      expect((await world.mallory.delete(first!.id)).status).to.equal(403)
    })

    it('are refused with a sentence when they have too many participants', async () => {
      const crowd = `dm:ada:${Array.from({ length: 50 }, (_, i) => `p${i}`).join(':')}`
      const response = await world.ada.postForm(`/send/${crowd}`, { text: 'all of you' })
      expect([response.status, await response.text()]).to.deep.equal([
        400,
        'a direct message has at most 50 people: make a private channel',
      ])
      expect((await world.ada.fetch(`/messages/${crowd}`)).status).to.equal(400)
    })

    it('require accounts at both ends', async () => {
      const response = await world.ada.postForm('/send/dm:ada:nobody', { text: 'hello?' })
      expect([response.status, await response.text()]).to.deep.equal([400, 'no account named nobody'])
      expect((await world.ada.postForm('/send/dm:ada', { text: 'me' })).status).to.equal(403)
    })
  })

  describe('changing', () => {
    it('edits the text and its mentions, for the sender only', async () => {
      const id = await world.ada.send('general', 'hello @bob')
      expect((await world.bob.edit(id, 'hijacked')).status).to.equal(403)
      expect(await (await world.ada.edit(id, ' hello @cleo ')).text()).to.equal('ok')
      const message = await last('general')
      expect(message).to.include({ id, content: 'hello @cleo', edited: 1, mentions: '["cleo"]' })
      expect(message.edited_ts).to.be.greaterThan(message.ts)
      for (const text of ['  ', ...INVISIBLE]) {
        const empty = await world.ada.edit(id, text)
        expect([empty.status, await empty.text()], text).to.deep.equal([400, 'empty'])
      }
    })

    it('does not edit images or deleted messages', async () => {
      await world.ada.sendImages('design', [{ name: 'a.png', bytes: await picture() }])
      const image = await last('design')
      expect((await world.ada.edit(image.id, 'text')).status).to.equal(403)
      const id = await world.ada.send('design', 'soon gone')
      await world.ada.delete(id)
      expect((await world.ada.edit(id, 'back')).status).to.equal(403)
    })

    it('deletes to a tombstone without content, once, and removes the file', async () => {
      await world.ada.sendImages('design', [{ name: 'a.png', bytes: await picture() }])
      const image = await last('design')
      const file = `/files/${image.filename}`
      expect((await world.bob.fetch(file)).status).to.equal(200)
      expect((await world.bob.delete(image.id)).status).to.equal(403)
      expect(await (await world.ada.delete(image.id)).text()).to.equal('ok')
      const tombstone = await last('design')
      expect(tombstone).to.include({
        id: image.id,
        deleted: 1,
        content: null,
        filename: null,
        mentions: null,
      })
      expect((await world.bob.fetch(file)).status).to.equal(404)
      await world.ada.delete(image.id)
      expect((await last('design')).deleted_ts).to.equal(tombstone.deleted_ts)
    })

    it('treats unknown messages like those of others: 403 forbidden', async () => {
      for (const id of [999_999_999, 0, -1]) {
        for (const answer of [await world.ada.edit(id, 'x'), await world.ada.delete(id)]) {
          expect([answer.status, await answer.text()]).to.deep.equal([403, 'forbidden'])
        }
      }
    })

    it('toggles reactions and lists them in order of first use', async () => {
      const id = await world.ada.send('general', 'react to me')
      await world.bob.react(id, 'tada')
      await world.ada.react(id, 'dart')
      const response = await world.ada.react(id, 'tada')
      expect(await response.json()).to.deep.equal({ tada: ['bob', 'ada'], dart: ['ada'] })
      expect(Object.keys(JSON.parse((await last('general')).reactions!))).to.deep.equal(['tada', 'dart'])
      await world.bob.react(id, 'tada')
      expect(JSON.parse((await last('general')).reactions!)).to.deep.equal({ dart: ['ada'], tada: ['ada'] })
      await world.ada.react(id, 'tada')
      await world.ada.react(id, '🎯')
      expect((await last('general')).reactions).to.equal(null)
    })

    it('refuses unknown reactions with 400, unknown or deleted messages with 404', async () => {
      const id = await world.ada.send('general', 'strict')
      const invalid = await world.ada.react(id, 'not-a-reaction')
      expect([invalid.status, await invalid.text()]).to.deep.equal([400, 'invalid reaction'])
      const unknown = await world.ada.react(999_999_999, 'tada')
      expect([unknown.status, await unknown.text()]).to.deep.equal([404, 'not found'])
      await world.ada.delete(id)
      expect((await world.ada.react(id, 'tada')).status).to.equal(404)
    })
  })

  describe('reading', () => {
    it('returns the rows that changed after the cursor, ordered by time', async () => {
      const first = await world.ada.send('quiet', 'first')
      const second = await world.ada.send('quiet', 'second')
      const cursor = (await world.ada.messages('quiet')).at(-1)!.ts
      await world.ada.send('quiet', 'third')
      await world.bob.react(second, 'tada')
      await world.ada.edit(first, 'first, edited')
      const changed = await world.ada.messages('quiet', cursor)
      expect(changed.map(row => row.content)).to.deep.equal(['first, edited', 'second', 'third'])
    })

    it('returns a tombstone to readers with a cursor, until they are past it', async () => {
      const id = await world.ada.send('dm:ada:cleo', 'soon gone')
      const [{ ts }] = (await world.cleo.messages('dm:ada:cleo')) as [MessagePayload]
      expect(await world.cleo.messages('dm:ada:cleo', ts)).to.deep.equal([])
      await world.ada.delete(id)
      const [tombstone] = (await world.cleo.messages('dm:ada:cleo', ts)) as [MessagePayload]
      expect(tombstone).to.include({ id, deleted: 1, content: null })
      expect(tombstone.deleted_ts).to.be.greaterThan(ts)
      expect(await world.cleo.messages('dm:ada:cleo', tombstone.deleted_ts!)).to.deep.equal([])
    })

    it('treats an invalid number as 0, a negative one as everything, infinity as nothing', async () => {
      const all = await world.ada.messages('quiet')
      for (const after of ['NaN', 'nan', '', 'x', '-5', '-inf']) {
        expect(await world.ada.messages('quiet', after), after).to.have.length(all.length)
      }
      expect(await world.ada.messages('quiet', 'Infinity')).to.deep.equal([])
      expect(await world.ada.messages('quiet', '1e300')).to.deep.equal([])
    })

    it('pages backwards and around a message', async () => {
      const page = await world.ada.get<MessagePayload[]>('/messages/quiet?limit=2')
      expect(page.map(row => row.content)).to.deep.equal(['second', 'third'])
      const earlier = await world.ada.get<MessagePayload[]>(`/messages/quiet?limit=2&before=${page[0]!.ts}`)
      expect(earlier.at(-1)!.content).to.equal('first, edited')
      const middle = await world.ada.get<MessagePayload[]>(`/messages/quiet?around=${page[0]!.id}&limit=3`)
      expect(middle.map(row => row.content)).to.deep.equal(['first, edited', 'second', 'third'])
      expect((await world.ada.fetch(`/messages/design?around=${page[0]!.id}`)).status).to.equal(404)
    })

    it('pages around a time: half up to it, half after it', async () => {
      const all = await world.ada.messages('design')
      for (let i = all.length; i < 8; i++) await world.ada.send('design', `stretch ${i}`)
      // A text and its images are a microsecond apart.
      const images = await Promise.all(
        ['a.png', 'b.png'].map(async name => ({ name, bytes: await picture() })),
      )
      await world.ada.sendImages('design', images, 'three rows')
      const rows = await world.ada.messages('design')
      const around = (ts: number, limit: number) =>
        world.ada.get<MessagePayload[]>(`/messages/design?around_ts=${ts}&limit=${limit}`)
      for (const at of [3, rows.length - 3, rows.length - 2]) {
        expect(await around(rows[at]!.ts, 4), `row ${at}`).to.deep.equal(rows.slice(at - 1, at + 3))
      }
      expect(await around((rows[3]!.ts + rows[4]!.ts) / 2, 4)).to.deep.equal(rows.slice(2, 6))
      expect(await around(0, 4)).to.deep.equal(rows.slice(0, 2))
      expect(await around(rows.at(-1)!.ts, 4)).to.deep.equal(rows.slice(-2))
      expect(await around(1e20, 4)).to.deep.equal(rows.slice(-2))
      expect(await around(rows[3]!.ts, 100_000)).to.have.length.at.most(200)
      expect((await world.mallory.fetch('/messages/dm:ada:cleo?around_ts=0')).status).to.equal(403)
    })

    it('returns one message by its id', async () => {
      const id = await world.ada.send('general', 'single')
      expect(await world.bob.get(`/message/${id}`)).to.deep.equal({
        id,
        sender: 'ada',
        content: 'single',
        filename: null,
        deleted: 0,
      })
      for (const unknown of ['0', '-1', 'x', '9223372036854775808', '1e3', '%00']) {
        const response = await world.bob.fetch(`/message/${unknown}`)
        expect([unknown, response.status, await response.text()]).to.deep.equal([unknown, 404, 'not found'])
      }
    })
  })

  describe('the channel clock (architecture 2.2)', () => {
    it('lets no reader with a cursor miss or repeat a message of eight writers on two processes', async function () {
      this.timeout(60_000)
      const total = 2_000
      let cursor = Math.max(...(await world.ada.messages('design')).map(changeTime))
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; i < total / 8; i++) {
          const response = await fetch(`${world.api[(writer + i) % 2]!.url}/send/design`, {
            method: 'POST',
            headers: { Cookie: (writer % 2 ? world.ada : world.bob).cookie },
            body: new URLSearchParams({ text: `clock ${writer}/${i}` }),
          })
          expect(response.status).to.equal(200)
          await response.text()
        }
      })
      let writing = true
      const written = Promise.all(writers).finally(() => {
        writing = false
      })
      const seen: string[] = []
      const poll = async () => {
        const rows = await world.cleo.messages('design', cursor)
        for (const row of rows) {
          seen.push(row.content!)
          cursor = Math.max(cursor, changeTime(row))
        }
      }
      while (writing) await poll()
      await written
      await poll()
      expect(seen).to.have.length(total)
      expect(new Set(seen)).to.have.length(total)
    })
  })
})
