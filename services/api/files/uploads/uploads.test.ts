import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { WorkspacePayload } from '#shared/domain/payloads/administration.ts'
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('uploads in parts', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2, settings: { max_upload_size_mb: 3, max_request_size_mb: 1 } })
  })
  after(() => world.end())

  const begin = (person: Person, id: string, name: string, size: unknown) =>
    person.putJson(`/uploads/${id}`, { name, size })
  const offsetOf = async (response: Response) => {
    expect(response.status).to.equal(200)
    return ((await response.json()) as UploadPayload).offset
  }
  const refusal = async (response: Response) =>
    [response.status, ((await response.json()) as { code: string }).code] as const
  const send = (person: Person, uploads: string, fields: Record<string, string> = {}) =>
    person.postForm('/send/general?files=all', { uploads, ...fields })
  const inFolder = (folder: string) => readdirSync(join(fileURLToPath(world.backing.env.FILES_URL), folder))
  const newest = async (person: Person) =>
    (await person.get<MessagePayload[]>('/messages/general?extra=1&limit=1'))[0]!

  async function upload(person: Person, name: string, bytes: Buffer, id: string = randomUUID()) {
    let offset = await offsetOf(await begin(person, id, name, bytes.length))
    while (offset < bytes.length)
      offset = await offsetOf(await person.appendPart(id, offset, bytes.subarray(offset, offset + 1_000_000)))
    return id
  }

  it('continue where they ended, in any process, and become a file of a message', async () => {
    const { ada, bob } = world
    const bytes = randomBytes(2_500_000)
    const id = randomUUID()
    const first = (await (await begin(ada, id, 'big "one".bin', bytes.length)).json()) as UploadPayload
    expect(first).to.deep.equal({ offset: 0, size: bytes.length, part_bytes: 1024 * 1024 })
    expect(await offsetOf(await ada.appendPart(id, 0, bytes.subarray(0, 1_000_000)))).to.equal(1_000_000)
    ada.at = world.api[1]!.url
    expect(await offsetOf(await begin(ada, id, 'big "one".bin', bytes.length))).to.equal(1_000_000)
    expect(
      await offsetOf(await ada.appendPart(id, 1_000_000, bytes.subarray(1_000_000, 2_000_000))),
    ).to.equal(2_000_000)
    const early = await send(ada, id)
    expect([early.status, await early.text()]).to.deep.equal([409, 'upload not complete: big "one".bin'])
    expect(await offsetOf(await ada.appendPart(id, 2_000_000, bytes.subarray(2_000_000)))).to.equal(
      bytes.length,
    )
    expect((await send(ada, id, { client_id: id })).status).to.equal(200)
    const message = await newest(bob)
    expect(message.extra!.file).to.deep.equal({
      name: 'big "one".bin',
      size: bytes.length,
      type: 'application/octet-stream',
    })
    const file = await (await bob.fetch(`/files/${message.filename}`)).arrayBuffer()
    expect(Buffer.from(file).equals(bytes)).to.equal(true)
    // The response was lost: the client asks, and sends again.
    expect(await offsetOf(await begin(ada, id, 'big "one".bin', bytes.length))).to.equal(bytes.length)
    const repeated = await send(ada, id, { client_id: id })
    expect([repeated.status, repeated.headers.get('X-Message-Id')]).to.deep.equal([200, String(message.id)])
    expect((await send(ada, id)).status).to.equal(409)
    expect([inFolder('uploads'), inFolder('incoming')]).to.deep.equal([[], []])
  })

  it('take each part once, at the end of what is there', async () => {
    const { ada } = world
    const bytes = randomBytes(900_000)
    const id = randomUUID()
    await begin(ada, id, 'a.bin', bytes.length)
    const part = bytes.subarray(0, 300_000)
    const twice = await Promise.all([ada.appendPart(id, 0, part), ada.appendPart(id, 0, part)])
    expect(twice.map(({ status }) => status).sort()).to.deep.equal([200, 409])
    expect(await refusal(await ada.appendPart(id, 400_000, part))).to.deep.equal([409, 'conflict'])
    expect(await refusal(await ada.appendPart(id, 300_000, bytes))).to.deep.equal([413, 'too_large'])
    expect(await offsetOf(await begin(ada, id, 'a.bin', bytes.length))).to.equal(300_000)
    expect(await refusal(await begin(ada, id, 'b.bin', bytes.length))).to.deep.equal([409, 'conflict'])
    await ada.fetch(`/uploads/${id}`, { method: 'DELETE' })
  })

  it('leave nothing behind when they are cancelled, also twice', async () => {
    const id = await upload(world.ada, 'gone.bin', randomBytes(1_200_000))
    expect(inFolder('uploads')).to.deep.equal([id])
    for (let i = 0; i < 2; i++)
      expect((await world.ada.fetch(`/uploads/${id}`, { method: 'DELETE' })).status).to.equal(204)
    expect([inFolder('uploads'), inFolder('incoming')]).to.deep.equal([[], []])
    expect((await send(world.ada, id)).status).to.equal(409)
    expect(await refusal(await world.ada.appendPart(id, 0, Buffer.from('x')))).to.deep.equal([
      404,
      'not_found',
    ])
  })

  it('belong to one person alone', async () => {
    const id = await upload(world.ada, 'own.bin', Buffer.from('mine'))
    expect(await refusal(await begin(world.mallory, id, 'own.bin', 4))).to.deep.equal([409, 'conflict'])
    expect(await refusal(await world.mallory.appendPart(id, 4, Buffer.from('x')))).to.deep.equal([
      404,
      'not_found',
    ])
    expect((await world.mallory.fetch(`/uploads/${id}`, { method: 'DELETE' })).status).to.equal(204)
    expect((await send(world.mallory, id)).status).to.equal(409)
    expect((await send(world.ada, id, { text: 'mine' })).status).to.equal(200)
  })

  it('respect size, type, number and quota, before a byte is sent', async () => {
    const { ada } = world
    // In the process that changes the settings: others follow within a second.
    const erin = await new Person('erin', ada.at).signUp()
    const tooLarge = await begin(erin, randomUUID(), 'a.bin', 3 * 1024 * 1024 + 1)
    expect(await tooLarge.json()).to.deep.equal({ error: 'file too large (max 3 MB)', code: 'too_large' })
    await ada.patchJson('/admin/settings', { file_types: 'images', user_upload_mb_per_day: 2 })
    try {
      expect(await refusal(await begin(erin, randomUUID(), 'a.txt', 1))).to.deep.equal([400, 'bad_request'])
      expect((await begin(erin, randomUUID(), 'a.png', 1_500_000)).status).to.equal(200)
      expect(await refusal(await begin(erin, randomUUID(), 'b.png', 1_500_000))).to.deep.equal([
        413,
        'too_large',
      ])
    } finally {
      await ada.patchJson('/admin/settings', { file_types: 'all', user_upload_mb_per_day: 0 })
    }
    await eventually(async () => {
      const { limits } = await world.cleo.get<WorkspacePayload>('/workspace')
      expect(limits.file_types, 'the other process follows').to.equal('all')
    })
    for (let i = 1; i < 10; i++) expect((await begin(erin, randomUUID(), 'a.bin', 1)).status).to.equal(200)
    expect(await refusal(await begin(erin, randomUUID(), 'a.bin', 1))).to.deep.equal([429, 'rate_limited'])
  })

  it('count for the limit of a person by their size, however small the parts are', async () => {
    const { backing, cleo } = world
    const settings = { max_upload_size_mb: 3, max_request_size_mb: 1 }
    /** Writes settings, with a number that tells when the process has read them. */
    const apply = async (values: Record<string, unknown>, max_message_chars: number) => {
      backing.settings({ ...settings, ...values, max_message_chars })
      await eventually(async () => {
        const { limits } = await cleo.get<WorkspacePayload>('/workspace')
        expect(limits.message_chars).to.equal(max_message_chars)
      })
    }
    const id = randomUUID()
    try {
      await apply({ rate_limits: { files: [2, 3_600] } }, 77)
      const half = 512 * 1024
      await eventually(async () => void (await offsetOf(await begin(cleo, id, 'a.bin', 6 * half))))
      const statuses: number[] = []
      for (let i = 0; i < 5; i++)
        statuses.push((await cleo.appendPart(id, i * half, Buffer.alloc(half))).status)
      expect(statuses, 'the fifth begins the third MiB').to.deep.equal([200, 200, 200, 200, 429])
      const offset = await offsetOf(await begin(cleo, id, 'a.bin', 6 * half))
      const asForm = await cleo.fetch(`/uploads/${id}`, {
        method: 'PATCH',
        headers: { 'Upload-Offset': String(offset), 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new Uint8Array(half),
      })
      expect(asForm.status, 'a part by another name').to.equal(429)
      await apply({ rate_limits: { files: [1, 600] } }, 78)
      // Nine of these take a MiB.
      await eventually(async () => {
        const picture = new FormData()
        picture.set('avatar', new Blob([new Uint8Array(120_000)]), 'a.png')
        const response = await cleo.fetch('/avatar?files=all', { method: 'POST', body: picture })
        expect(response.status, 'an avatar counts, too').to.equal(429)
      })
    } finally {
      await apply({ rate_limit_enabled: false }, 79)
      await cleo.fetch(`/uploads/${id}`, { method: 'DELETE' })
    }
  })

  it('may be empty, and several of one message', async () => {
    const ids = [
      await upload(world.cleo, 'empty', Buffer.alloc(0)),
      await upload(world.cleo, 'b', Buffer.from('b')),
    ]
    expect((await send(world.cleo, ids.join(','))).status).to.equal(200)
    const rows = await world.cleo.get<MessagePayload[]>('/messages/general?extra=1&limit=2')
    expect(rows.map(row => row.extra?.file?.name)).to.deep.equal(['empty', 'b'])
  })

  it('are refused with 4xx for bad input, which changes nothing', async () => {
    const { ada } = world
    const bad = [undefined, null, -1, 1.5, '1', [], {}, 2 ** 60]
    for (const size of bad) {
      const response = await ada.putJson(`/uploads/${randomUUID()}`, { name: 'a', size })
      expect(response.status, String(size)).to.be.oneOf([400, 413])
    }
    for (const name of [undefined, null, 5, [], {}, '', '\0', '\ud800', ' '])
      expect(
        (await ada.putJson(`/uploads/${randomUUID()}`, { name, size: 1 })).status,
        String(name),
      ).to.equal(400)
    for (const id of ['0', '-1', 'x', `${2n ** 63n}`])
      expect((await ada.putJson(`/uploads/${id}`, { name: 'a', size: 1 })).status, id).to.equal(400)
    const id = randomUUID()
    await begin(ada, id, 'a', 4)
    for (const offset of ['', '-1', 'x', '1e3', '9999999999999999'])
      expect(
        (
          await ada.fetch(`/uploads/${id}`, {
            method: 'PATCH',
            headers: { 'Upload-Offset': offset },
            body: 'abcd',
          })
        ).status,
        offset,
      ).to.equal(400)
    for (const uploads of ['x', `${id},`, ',', '5'])
      expect((await send(ada, uploads)).status, uploads).to.equal(400)
    expect((await send(ada, Array.from({ length: 11 }, () => randomUUID()).join(','))).status).to.equal(400)
    expect((await send(ada, '')).status, 'nothing to send').to.equal(400)
    expect(await offsetOf(await begin(ada, id, 'a', 4))).to.equal(0)
    await ada.fetch(`/uploads/${id}`, { method: 'DELETE' })
  })
})
