import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import sharp from 'sharp'
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('an office whose files are in a bucket (docs/adr/0017)', () => {
  let s3: TestS3
  let world: World
  let worker: RunningService
  before(async () => {
    s3 = await startS3()
    const env = { ...s3.keys, FILES_URL: s3.urlOf('office') }
    world = await newWorld({ apis: 2, env, settings: { max_upload_size_mb: 30, max_request_size_mb: 30 } })
    worker = await startService('previews-pictures', world.backing.env)
  })
  after(async () => {
    await worker?.stop()
    await world?.end()
    await s3?.stop()
  })

  const objects = () =>
    s3.requests.filter(line => line.startsWith('PUT')).map(line => line.replace(/\?.*|.*\/office\//g, ''))
  const newest = async (person: Person) =>
    (await person.get<MessagePayload[]>('/messages/general?extra=1&limit=1'))[0]!
  const picture = () =>
    sharp({
      create: { width: 1000, height: 600, channels: 3, background: 'teal' },
    })
      .jpeg()
      .toBuffer()

  async function upload(person: Person, name: string, bytes: Buffer, part: number): Promise<string> {
    const id = randomUUID()
    await person.putJson(`/uploads/${id}`, { name, size: bytes.length })
    for (let offset = 0; offset < bytes.length; ) {
      const response = await person.appendPart(id, offset, bytes.subarray(offset, offset + part))
      expect(response.status).to.equal(200)
      offset = ((await response.json()) as UploadPayload).offset
    }
    return id
  }

  it('shows pictures and their thumbnails, to members only', async () => {
    const { ada, bob, mallory } = world
    const response = await ada.sendImages('dm:ada:bob', [{ name: 'wide.jpg', bytes: await picture() }])
    expect(response.status).to.equal(200)
    const name = (await ada.messages('dm:ada:bob')).at(-1)!.filename!
    await eventually(async () => {
      const small = await bob.fetch(`/files/${name}?size=360`)
      expect(small.headers.get('ETag')).to.equal(`"${name}.360.webp"`)
      const { format, width } = await sharp(Buffer.from(await small.arrayBuffer())).metadata()
      expect([format, width]).to.deep.equal(['webp', 360])
    }, 60_000)
    expect((await mallory.fetch(`/files/${name}`)).status).to.equal(404)
    expect(objects()).to.include(`files/${name}`)
  })

  it('takes an upload in parts by any process, and gives ranges of it', async () => {
    const { ada, bob } = world
    const bytes = randomBytes(10_000_000)
    const id = await upload(ada, 'plan.bin', bytes, 3_000_000)
    ada.at = world.api[1]!.url
    const sent = await ada.postForm('/send/general?files=all', { uploads: id, client_id: id })
    expect([sent.status, await sent.text()][0]).to.equal(200)
    const { filename } = await newest(bob)
    const whole = await (await bob.fetch(`/files/${filename}`)).arrayBuffer()
    expect(Buffer.from(whole).equals(bytes)).to.equal(true)
    const range = await bob.fetch(`/files/${filename}`, { headers: { Range: 'bytes=5000000-5000009' } })
    expect([range.status, range.headers.get('Content-Range')]).to.deep.equal([
      206,
      'bytes 5000000-5000009/10000000',
    ])
    expect(Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(5_000_000, 5_000_010))).to.equal(true)
    const removed = s3.requests.filter(line => line.startsWith('DELETE') && line.includes(id))
    expect(removed).to.have.length(4)
  })

  it('answers 503 with a sentence while the bucket is away, keeps the rest, and goes on afterwards', async () => {
    const { ada, bob } = world
    await ada.sendImages('dm:ada:bob', [{ name: 'later.jpg', bytes: await picture() }])
    const name = (await ada.messages('dm:ada:bob')).at(-1)!.filename!
    s3.door = 'refuse'
    try {
      const away = await bob.fetch(`/files/${name}`)
      expect([away.status, away.headers.get('ETag')]).to.deep.equal([503, null])
      expect(await away.text()).to.match(/file/)
      const send = await ada.sendImages('dm:ada:bob', [{ name: 'no.jpg', bytes: await picture() }])
      expect(send.status).to.equal(503)
      expect((await ada.postForm('/send/general', { text: 'Texts go on.' })).status).to.equal(200)
    } finally {
      s3.door = 'open'
    }
    await eventually(async () => expect((await bob.fetch(`/files/${name}`)).status).to.equal(200))
  })

  it('says within seconds that a silent bucket is away', async () => {
    const { ada, bob } = world
    await ada.sendImages('dm:ada:bob', [{ name: 'calm.jpg', bytes: await picture() }])
    const name = (await ada.messages('dm:ada:bob')).at(-1)!.filename!
    s3.door = 'silent'
    try {
      const began = performance.now()
      expect((await bob.fetch(`/files/${name}`)).status).to.equal(503)
      expect(performance.now() - began).to.be.lessThan(20_000)
    } finally {
      s3.door = 'open'
    }
    await eventually(async () => expect((await bob.fetch(`/files/${name}`)).status).to.equal(200), 60_000)
  }).timeout(240_000)
})
