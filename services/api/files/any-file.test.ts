import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { ChannelFilePayload, ChannelFilesPayload } from '#shared/domain/payloads/files.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const FILM = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom\0\0\0\0', 'latin1'), Buffer.alloc(2_000, 7)])
const box = (kind: string, content: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, content])
}
/** The first box has a size beyond all files. */
const ENDLESS = Buffer.from('\0\0\0\x01ftypqt  \x80\0\0\0\0\0\0\0', 'latin1')
const movie = (codec: string) =>
  Buffer.concat([
    box('ftyp', Buffer.from('qt  \0\0\0\0', 'latin1')),
    box('mdat', Buffer.alloc(5_000)),
    box('moov', Buffer.from(`trak....stsd....${codec}....`, 'latin1')),
  ])

describe('files of any type (messages, section 6)', () => {
  let world: World
  let image: Buffer
  let db: pg.Client
  before(async () => {
    world = await newWorld({ settings: { max_upload_size_mb: 0.5, max_request_size_mb: 1 } })
    image = await sharp({ create: { width: 9, height: 6, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const newest = async (person: Person, channel: string, count = 1) =>
    (await person.get<MessagePayload[]>(`/messages/${channel}?extra=1&limit=${count}`)).slice(-count)
  const stored = () => readdirSync(fileURLToPath(world.backing.env.FILES_URL)).length

  async function sent(name: string, bytes: Uint8Array | string, channel = 'general') {
    const response = await world.ada.sendFiles(channel, [{ name, bytes }])
    expect([response.status, await response.text()], name).to.deep.equal([200, 'ok'])
    return (await newest(world.ada, channel))[0]!
  }

  it('are skipped without files=all, as before', async () => {
    const files = [
      { name: 'plan.pdf', bytes: Buffer.from('%PDF-1.7') },
      { name: 'pic.png', bytes: image },
    ]
    expect((await world.ada.sendImages('general', files, 'both')).status).to.equal(200)
    const rows = await newest(world.ada, 'general', 2)
    expect(rows.map(row => [row.content, row.filename !== null, row.extra?.file])).to.deep.equal([
      ['both', false, undefined],
      ['', true, undefined],
    ])
    const alone = await world.ada.sendImages('general', [files[0]!])
    expect([alone.status, await alone.text()]).to.deep.equal([400, 'empty'])
  })

  it('are all kept with files=all, a row each, with true name, size and type', async () => {
    const text = Buffer.from('hello')
    const files = [
      { name: 'pic.png', bytes: image },
      { name: 'notes.txt', bytes: text },
      { name: 'broken.png', bytes: text },
      { name: 'empty', bytes: Buffer.alloc(0) },
    ]
    expect((await world.ada.sendFiles('general', files, { text: 'four' })).status).to.equal(200)
    const rows = await newest(world.bob, 'general', 5)
    const imageBytes = (await (await world.bob.fetch(`/files/${rows[1]!.filename}`)).arrayBuffer()).byteLength
    expect(rows.map(row => row.extra?.file)).to.deep.equal([
      undefined,
      { name: 'pic.png', size: imageBytes, type: 'image/png', width: 9, height: 6 },
      { name: 'notes.txt', size: 5, type: 'text/plain' },
      { name: 'broken.png', size: 5, type: 'application/octet-stream' },
      { name: 'empty', size: 0, type: 'application/octet-stream' },
    ])
    expect(rows[1]!.filename).to.match(/^[0-9a-f]{32}\.png$/)
    expect(rows[3]!.filename).to.match(/^[0-9a-f]{32}_broken\.png$/)
    const plain = await world.bob.get<MessagePayload[]>('/messages/general?limit=5')
    expect(plain.some(row => row.extra)).to.equal(false)
    const broken = await world.bob.fetch(`/files/${rows[3]!.filename}`)
    expect(broken.headers.get('Content-Disposition')).to.match(/^attachment/)
  })

  it('are pictures whatever their name promises, with their true ending', async () => {
    const made = sharp({ create: { width: 9, height: 6, channels: 3, background: 'teal' } })
    const [jpeg, webp] = [await made.clone().jpeg().toBuffer(), await made.clone().webp().toBuffer()]
    const table: [name: string, bytes: Buffer, shown: string, type: string][] = [
      ['saved.jpg', webp, 'saved.webp', 'image/webp'],
      ['saved.JPG', image, 'saved.png', 'image/png'],
      ['phone.png', jpeg, 'phone.jpg', 'image/jpeg'],
      ['IMG_1.HEIC', jpeg, 'IMG_1.jpg', 'image/jpeg'],
      ['scan.jfif', jpeg, 'scan.jpg', 'image/jpeg'],
      ['drawing.avif', webp, 'drawing.webp', 'image/webp'],
      ['download', image, 'download.png', 'image/png'],
      ['Screenshot at 10.45', image, 'Screenshot at 10.45.png', 'image/png'],
      ['same.jpeg', jpeg, 'same.jpeg', 'image/jpeg'],
    ]
    for (const [name, bytes, shown, type] of table) {
      const message = await sent(name, bytes)
      const served = await world.bob.fetch(`/files/${message.filename}`)
      const { size, ...file } = message.extra!.file!
      expect(file, name).to.deep.equal({ name: shown, type, width: 9, height: 6 })
      expect(served.headers.get('Content-Type'), name).to.equal(type)
      expect((await served.arrayBuffer()).byteLength).to.equal(size)
      expect(message.filename, name).to.match(/^[0-9a-f]{32}\.[a-z]+$/)
    }
    const others: [name: string, bytes: Buffer | string, type: string][] = [
      ['photo.heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'image/heic'],
      ['photo.jpg', '\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'application/octet-stream'],
      ['notes.txt', image, 'text/plain'],
      ['plan.pdf', image, 'application/octet-stream'],
      ['cut.jpg', jpeg.subarray(0, 40), 'application/octet-stream'],
    ]
    for (const [name, bytes, type] of others) {
      const message = await sent(name, bytes)
      expect([message.extra!.file!.name, message.extra!.file!.type]).to.deep.equal([name, type])
    }
  })

  it('come back under their name, whatever it is', async () => {
    const names: [sent: string, shown: string][] = [
      ['../../etc/passwd', 'passwd'],
      ['say "hi" \'there\'.txt', 'say "hi" \'there\'.txt'],
      ['Übersicht 🙂 日本.pdf', 'Übersicht 🙂 日本.pdf'],
      [`${'ü'.repeat(296)}.doc`, `${'ü'.repeat(296)}.doc`],
      ['100% sure;filename=x.exe', '100% sure;filename=x.exe'],
    ]
    for (const [name, shown] of names) {
      const message = await sent(name, 'x')
      expect(message.extra!.file!.name).to.equal(shown)
      expect(message.filename).to.match(/^[0-9a-f]{32}_[A-Za-z0-9._-]{1,200}$/)
      const header = (await world.bob.fetch(`/files/${message.filename}`)).headers.get('Content-Disposition')!
      const extended = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1]
      const quoted = /filename="((?:[^"\\]|\\.)*)"/.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
      const plain = /filename=([^";]+)/.exec(header)?.[1]
      expect(extended ? decodeURIComponent(extended) : (quoted ?? plain), header).to.equal(shown)
    }
  })

  it('are shown in place only if their content is what the name says', async () => {
    const table: [
      name: string,
      bytes: Buffer | string,
      type: string,
      disposition: 'inline' | 'attachment',
    ][] = [
      ['film.mp4', FILM, 'video/mp4', 'inline'],
      ['camera.mov', movie('avc1'), 'video/mp4', 'inline'],
      ['other.mov', movie('hvc1'), 'application/octet-stream', 'attachment'],
      ['endless.mov', ENDLESS, 'application/octet-stream', 'attachment'],
      ['song.mp3', 'ID3\x04', 'audio/mpeg', 'inline'],
      ['plan.pdf', '%PDF-1.7', 'application/pdf', 'inline'],
      ['trap.mp4', '<!doctype html><script>alert(1)</script>', 'application/octet-stream', 'attachment'],
      ['trap.pdf', '<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
      ['page.html', '<script>alert(1)</script>', 'text/plain', 'attachment'],
      ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain', 'attachment'],
      ['feed.xml', '<x/>', 'text/plain', 'attachment'],
      ['run.js', 'alert(1)', 'text/plain', 'attachment'],
      ['archive.zip', 'PK\x03\x04', 'application/zip', 'attachment'],
    ]
    for (const [name, bytes, type, disposition] of table) {
      const message = await sent(name, bytes)
      expect(message.extra!.file!.type, name).to.equal(type)
      const path = `/files/${message.filename}`
      const response = await world.bob.fetch(path)
      const { headers } = response
      expect(headers.get('Content-Type')!.split(';')[0], name).to.equal(type)
      expect(headers.get('Content-Disposition')!.split(';')[0], name).to.equal(disposition)
      expect(headers.get('X-Content-Type-Options')).to.equal('nosniff')
      const policy = headers.get('Content-Security-Policy')!
      expect(policy).to.match(/^default-src 'none'/)
      expect(policy.includes('sandbox'), name).to.equal(type !== 'application/pdf')
      expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes)), name).to.equal(true)
      const download = await world.bob.fetch(`${path}?download=1`)
      expect(download.headers.get('Content-Disposition'), name).to.match(/^attachment/)
    }
  })

  it('are served in ranges, to readers alone, also for HEAD and in other sizes', async () => {
    const { ada, bob, cleo, mallory } = world
    const den = await world.privateChannel('den', [ada, bob, cleo])
    const film = await sent('film.mp4', FILM, den)
    const picture = await sent('pic.png', image, den)
    const path = `/files/${film.filename}`
    const part = await bob.fetch(path, { headers: { Range: 'bytes=4-7' } })
    expect([part.status, await part.text()]).to.deep.equal([206, 'ftyp'])
    expect(part.headers.get('Content-Range')).to.equal(`bytes 4-7/${FILM.length}`)
    const beyond = await bob.fetch(path, { headers: { Range: `bytes=${FILM.length}-` } })
    expect(beyond.status).to.equal(416)
    const removed = await ada.postJson(`/private_channels/${den.split(':')[1]}/remove_member`, {
      username: 'cleo',
    })
    expect(removed.status).to.equal(204)
    const dora = await world.lateJoiner(den, ada)
    for (const person of [mallory, cleo, dora])
      for (const one of [film, picture])
        for (const query of ['', '?download=1', '?size=360'])
          for (const method of ['GET', 'HEAD']) {
            const { status } = await person.fetch(`/files/${one.filename}${query}`, { method })
            expect(status, `${person.name} ${method} ${query}`).to.equal(404)
          }
    expect((await bob.fetch(path, { method: 'HEAD' })).status).to.equal(200)
    await ada.delete(film.id)
    expect((await bob.fetch(path)).status).to.equal(404)
    const { rows } = await db.query('select from files where name = $1', [film.filename])
    expect(rows).to.deep.equal([])
  })

  it('need a session, whatever is asked of them, and look the same whether they exist or not', async () => {
    const film = await sent('film.mp4', FILM)
    const picture = await sent('pic.png', image)
    const missing = `${'0'.repeat(32)}.png`
    const visitor = new Person('visitor', world.api[0]!.url)
    const former = await new Person('former', world.api[0]!.url).signUp()
    const { cookie } = former
    await former.fetch('/logout')
    const asked = async (person: Person, path: string, init: RequestInit) => {
      const response = await person.fetch(path, init)
      const names = [
        'Location',
        'Content-Type',
        'Content-Disposition',
        'Content-Range',
        'Accept-Ranges',
        'ETag',
      ]
      return [response.status, ...names.map(name => response.headers.get(name)), await response.text()]
    }
    for (const cookieOf of ['', cookie, 'session=forged'])
      for (const query of ['', '?download=1', '?size=360'])
        for (const init of [{}, { method: 'HEAD' }, { headers: { Range: 'bytes=0-3' } }] as RequestInit[]) {
          visitor.cookie = cookieOf
          const unknown = await asked(visitor, `/files/${missing}${query}`, init)
          expect(unknown.slice(0, 2)).to.deep.equal([302, '/login'])
          for (const { filename } of [film, picture]) {
            visitor.cookie = cookieOf
            const about = `${init.method ?? 'GET'} ${filename}${query} ${cookieOf}`
            expect(await asked(visitor, `/files/${filename}${query}`, init), about).to.deep.equal(unknown)
          }
        }
    visitor.cookie = ''
    for (const path of [`/file_preview/${film.filename}`, '/channel_files/general'])
      expect((await asked(visitor, path, {})).slice(0, 2), path).to.deep.equal([302, '/login'])
    expect((await world.bob.fetch(`/files/${film.filename}`)).status, 'for a reader').to.equal(200)
  })

  it('are refused beyond the limits, and nothing is stored', async () => {
    const before = stored()
    const refused = async (
      files: { name: string; bytes: Buffer | string }[],
      status: number,
      text: string,
    ) => {
      const response = await world.ada.sendFiles('general', files, { text: 'with files' })
      expect([response.status, await response.text()]).to.deep.equal([status, text])
    }
    const eleven = Array.from({ length: 11 }, (_, i) => ({ name: `${i}.txt`, bytes: 'x' }))
    await refused(eleven, 400, 'at most 10 files')
    await refused([{ name: 'big.zip', bytes: Buffer.alloc(600_000) }], 413, 'file too large (max 0.5 MB)')
    const three = ['a', 'b', 'c'].map(name => ({ name, bytes: Buffer.alloc(450_000) }))
    await refused(three, 413, 'request too large (max 1 MB)')
    expect((await newest(world.ada, 'general'))[0]!.content).to.not.equal('with files')
    expect(stored()).to.equal(before)
  })

  it('must be images where the workspace says so', async () => {
    await world.ada.patchJson('/admin/settings', { file_types: 'images' })
    const before = stored()
    const response = await world.ada.sendFiles('general', [
      { name: 'pic.png', bytes: image },
      { name: 'a "b".pdf', bytes: '%PDF-' },
    ])
    expect([response.status, await response.text()]).to.deep.equal([400, 'file type not allowed: a "b".pdf'])
    expect(stored()).to.equal(before)
    const { limits } = await world.ada.get<{ limits: { file_types: string } }>('/workspace')
    expect(limits.file_types).to.equal('images')
    for (const name of ['pic.png', 'pic.jpg', 'pic.jfif', 'pic'])
      expect((await world.ada.sendFiles('general', [{ name, bytes: image }])).status, name).to.equal(200)
    await world.ada.patchJson('/admin/settings', { file_types: 'all' })
  })

  it('count for the quota of a day, deleted or not, on every way of uploading', async () => {
    await world.ada.patchJson('/admin/settings', { user_upload_mb_per_day: 1 })
    const send = () => world.cleo.sendFiles('general', [{ name: 'half.bin', bytes: Buffer.alloc(400_000) }])
    expect((await send()).status).to.equal(200)
    const both = await Promise.all([send(), send()])
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 413])
    const refused = await send()
    expect(await refused.text()).to.equal('storage full: you can upload 1 MB in 24 hours')
    await world.cleo.delete((await newest(world.cleo, 'general'))[0]!.id)
    expect((await send()).status, 'after a deletion').to.equal(413)
    await world.ada.patchJson('/admin/settings', { user_upload_mb_per_day: 0 })
  })

  it('count for the quota of a day after every deletion: plain images, forwards, parts, avatars and emoji', async () => {
    const noise = await sharp(randomBytes(3 * 180 * 180), { raw: { width: 180, height: 180, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const picture = new File([new Uint8Array(noise)], 'a.png')
    const form = (field: string, fields: Record<string, string> = {}) => {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      body.append(field, picture)
      return { method: 'POST', body }
    }
    const { ada, bob } = world
    await bob.sendFiles('general', [{ name: 'a.png', bytes: noise }])
    const source = (await newest(bob, 'general', 5)).findLast(row => row.filename)!.id
    const ways: [string, (person: Person) => Promise<Response>][] = [
      ['plain', person => person.fetch('/send/general', form('files'))],
      ['avatar', person => person.fetch('/avatar', form('avatar'))],
      ['emoji', person => person.fetch('/emoji', form('image', { name: `e${randomUUID().slice(0, 8)}` }))],
      ['forward', person => person.postJson(`/forward/${source}`, { channel: 'general' })],
      [
        'parts',
        async person => {
          const id = randomUUID()
          const begun = await person.putJson(`/uploads/${id}`, { name: 'a.bin', size: noise.length })
          if (begun.status !== 200) return begun
          const appended = await person.appendPart(id, 0, noise)
          expect((await person.fetch(`/uploads/${id}`, { method: 'DELETE' })).status).to.equal(204)
          return appended
        },
      ],
    ]
    await ada.patchJson('/admin/settings', { user_upload_mb_per_day: 0.2 })
    try {
      for (const [way, upload] of ways) {
        const person = await new Person(`up-${way}`, world.api[0]!.url).signUp()
        const statuses: number[] = []
        for (let i = 0; i < 4; i++) {
          const response = await upload(person)
          statuses.push(response.status)
          if (response.ok && (way === 'plain' || way === 'forward')) {
            const rows = (await newest(person, 'general', 5)).filter(row => row.sender === person.name)
            for (const row of rows.filter(row => row.deleted === 0)) await person.delete(row.id)
          }
        }
        // Without `previews-pictures` an emoji is 503, after its bytes were taken.
        expect(
          statuses.map(status => status === 413),
          `${way}: ${statuses}`,
        ).to.deep.equal([false, false, true, true])
      }
    } finally {
      await ada.patchJson('/admin/settings', { user_upload_mb_per_day: 0 })
    }
  })

  it('are stored once when a send is repeated while the first attempt, which fills the quota, is under way', async () => {
    await world.ada.patchJson('/admin/settings', { user_upload_mb_per_day: 1 })
    const { bob } = world
    const client_id = randomUUID()
    const send = () =>
      bob.sendFiles('general', [{ name: 'most.bin', bytes: Buffer.alloc(500_000) }], {
        client_id,
      })
    const fill = [{ name: 'some.bin', bytes: Buffer.alloc(400_000) }]
    expect((await bob.sendFiles('general', fill)).status).to.equal(200)
    const both = await Promise.all([send(), send()])
    expect(both.map(({ status }) => status)).to.deep.equal([200, 200])
    const ids = both.map(({ headers }) => headers.get('X-Message-Id'))
    expect(ids[0]).to.be.a('string').that.equals(ids[1])
    await world.ada.patchJson('/admin/settings', { user_upload_mb_per_day: 0 })
  })

  it('of a send that was broken off do not count for the quota after a minute', async () => {
    await world.ada.patchJson('/admin/settings', { user_upload_mb_per_day: 1 })
    await db.query(
      `insert into files (name, original_name, bytes, type, uploader, ts)
       values ('lost', 'lost', 1000000, 'text/plain', 'mallory', extract(epoch from now()) - 61)`,
    )
    const response = await world.mallory.sendFiles('general', [
      { name: 'a.bin', bytes: Buffer.alloc(200_000) },
    ])
    expect(response.status).to.equal(200)
    await world.ada.patchJson('/admin/settings', { user_upload_mb_per_day: 0 })
  })

  it('show the beginning of text files as code, by their true name', async () => {
    const message = await sent('größe.py', 'print(1)\n')
    const preview = await world.bob.get<{ filename?: string; language?: string; code?: string }>(
      `/file_preview/${message.filename}`,
    )
    expect(preview).to.include({ filename: 'größe.py', language: 'py', code: 'print(1)' })
    expect(await world.mallory.get(`/file_preview/${message.filename}`)).to.have.property('filename')
  })

  it('are listed by channel, newest first, by type, name and sender, for readers alone', async () => {
    const { ada, bob, mallory } = world
    const attic = await world.privateChannel('attic', [ada, bob])
    await sent('old.pdf', '%PDF-1', attic)
    const dora = await world.lateJoiner(attic, ada)
    for (const [name, bytes] of [
      ['plan 50%.pdf', '%PDF-1'],
      ['film.mp4', FILM],
      ['main.rs', 'fn main'],
      ['data.json', '{}'],
      ['a.zip', 'PK'],
    ] as const)
      await sent(name, bytes, attic)
    await bob.sendFiles(attic, [{ name: 'of bob.png', bytes: image }])
    const list = (person: Person, query = '') =>
      person.get<Page<ChannelFilePayload>>(`/channel_files/${attic}${query}`)
    const names = async (query: string, person = ada) =>
      (await list(person, query)).items.map(item => item.original_name)
    expect(await names('')).to.deep.equal([
      'of bob.png',
      'a.zip',
      'data.json',
      'main.rs',
      'film.mp4',
      'plan 50%.pdf',
      'old.pdf',
    ])
    expect(await names('?type=image')).to.deep.equal(['of bob.png'])
    expect(await names('?type=text')).to.deep.equal(['data.json', 'main.rs'])
    expect(await names('?type=other')).to.deep.equal(['a.zip'])
    expect(await names('?type=pdf&q=PLAN')).to.deep.equal(['plan 50%.pdf'])
    expect(await names('?q=50%25.p')).to.deep.equal(['plan 50%.pdf'])
    expect(await names('?q=50_')).to.deep.equal([])
    expect(await names('?sender=BOB')).to.deep.equal(['of bob.png'])
    expect(await names('', dora), 'a late joiner').to.have.length(6)
    const total = async (person: Person, query = '') =>
      (await person.get<ChannelFilesPayload>(`/channel_files/${attic}?${query}`)).total
    expect([await total(ada, 'limit=1'), await total(dora)]).to.deep.equal([7, 6])
    const first = await list(ada, '?limit=4')
    const second = await list(ada, `?limit=4&cursor=${first.next}`)
    expect([...first.items, ...second.items].map(item => item.original_name)).to.deep.equal(await names(''))
    expect(second.next).to.equal(null)
    for (const query of [`cursor=${first.next}`, 'type=image', 'q=a', 'sender=bob'])
      expect(await total(ada, query), query).to.equal(undefined)
    const [picture] = first.items
    const [message] = await newest(ada, attic)
    expect(picture).to.deep.equal({
      message_id: message!.id,
      name: message!.filename,
      original_name: 'of bob.png',
      size: message!.extra!.file!.size,
      type: 'image/png',
      sender: 'bob',
      ts: message!.ts,
      width: 9,
      height: 6,
    })
    expect((await mallory.fetch(`/channel_files/${attic}`)).status).to.equal(404)
    for (const query of ['type=exe', 'limit=0', 'limit=201', 'cursor=x', 'q=%00'])
      expect((await ada.fetch(`/channel_files/${attic}?${query}`)).status, query).to.equal(400)
    await ada.delete((await newest(ada, attic, 2)).at(0)!.id)
    expect(await total(ada), 'after a deletion').to.equal(6)
  })
})
