import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const MIB = 1024 * 1024

describe('large uploads over bad lines', function () {
  this.timeout(300_000)
  let world: World
  before(async () => {
    world = await newWorld({ settings: { max_upload_size_mb: 2_048 } })
  })
  after(() => world.end())

  const begin = async (id: string, name: string, size: number) =>
    (await (await world.ada.putJson(`/uploads/${id}`, { name, size })).json()) as UploadPayload
  const send = (id: string) =>
    world.ada
      .postForm('/send/general?files=all', { uploads: id, client_id: id })
      .then(response => response.status)
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  /** Sends a body piece by piece; `between` runs before each piece. */
  function appendSlowly(
    id: string,
    offset: number,
    pieces: Buffer[],
    between: (i: number) => Promise<unknown>,
  ) {
    let i = 0
    const body = new ReadableStream({
      async pull(controller) {
        await between(i)
        const piece = pieces[i++]
        if (piece) controller.enqueue(new Uint8Array(piece))
        else controller.close()
      },
    })
    const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/octet-stream' }
    return world.ada.fetch(`/uploads/${id}`, {
      method: 'PATCH',
      headers,
      body,
      duplex: 'half',
    } as RequestInit)
  }

  async function crash() {
    await world.api[0]!.kill()
    world.api[0] = await startService('api', world.backing.env)
    world.ada.at = world.api[0]!.url
    world.bob.at = world.api[0]!.url
  }

  it('end in one correct file though the api is killed within parts and while the message is sent', async () => {
    const bytes = randomBytes(64 * MIB)
    const id = randomUUID()
    let crashes = 0
    let back: Promise<void> | undefined
    for (let { offset, part_bytes } = await begin(id, 'film.bin', bytes.length); offset < bytes.length; ) {
      const part = bytes.subarray(offset, offset + part_bytes)
      const half = [part.subarray(0, part.length / 2), part.subarray(part.length / 2)]
      const crashing = crashes < 3 && offset >= crashes * 16 * MIB
      const appended = appendSlowly(id, offset, half, async i => {
        if (crashing && i === 1) {
          crashes++
          back = crash()
          await back
        }
      }).then(
        response => response.status,
        () => 0,
      )
      expect(await appended).to.equal(crashing ? 0 : 200)
      await back
      const now = await begin(id, 'film.bin', bytes.length)
      expect(now.offset).to.equal(crashing ? offset : offset + part.length)
      offset = now.offset
    }
    for (const wait of [1, 20, 60]) {
      const sending = send(id).catch(() => 0)
      await pause(wait)
      await crash()
      await sending
    }
    expect(await send(id)).to.equal(200)
    const rows = (await world.bob.get<MessagePayload[]>('/messages/general?extra=1&limit=20')).filter(
      row => row.extra?.file?.name === 'film.bin',
    )
    expect(rows).to.have.length(1)
    expect(rows[0]!.extra!.file!.size).to.equal(bytes.length)
    const response = await world.bob.fetch(`/files/${rows[0]!.filename}`)
    expect(hash(new Uint8Array(await response.arrayBuffer()))).to.equal(hash(bytes))
  })

  it('get through a line of 64 kbit/s', async () => {
    const bytes = randomBytes(184_000)
    const id = randomUUID()
    await begin(id, 'slow.bin', bytes.length)
    const pieces = Array.from({ length: 46 }, (_, i) => bytes.subarray(i * 4_000, (i + 1) * 4_000))
    const response = await appendSlowly(id, 0, pieces, () => pause(500))
    expect([response.status, ((await response.json()) as UploadPayload).offset]).to.deep.equal([
      200,
      bytes.length,
    ])
    expect(await send(id)).to.equal(200)
  })
})
