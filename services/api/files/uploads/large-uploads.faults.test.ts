import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const MIB = 1024 * 1024
const KEY = randomBytes(32)
const ZEROS = Buffer.alloc(MIB)

/** The bytes of a file that is nowhere: pseudo-random, the same at each call. `from` is a multiple of 16. */
function* bytesOf(from: number, size: number) {
  const counter = Buffer.alloc(16)
  counter.writeBigUInt64BE(BigInt(from / 16), 8)
  const cipher = createCipheriv('aes-256-ctr', KEY, counter)
  for (let left = size; left > 0; left -= MIB) yield cipher.update(ZEROS.subarray(0, Math.min(left, MIB)))
}

/** MiB that a process has resident. */
const resident = (pid: number | 'self') =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

/** Growth of the resident memory in MiB that is still constant: garbage of the chunks under way. */
const MOST_GROWTH = 100

describe('files of 1 and 2 GiB', function () {
  this.timeout(900_000)
  let world: World
  before(async () => {
    world = await newWorld({ settings: { max_upload_size_mb: 2_048 } })
  })
  after(() => world.end())

  const begin = async (id: string, name: string, size: number) => {
    const response = await world.ada.putJson(`/uploads/${id}`, { name, size })
    expect(response.status).to.equal(200)
    return (await response.json()) as UploadPayload
  }
  const send = (id: string) => world.ada.postForm('/send/general?files=all', { uploads: id, client_id: id })
  const folder = (name: string) => join(fileURLToPath(world.backing.env.FILES_URL), name)
  const inFolder = (name: string) => readdirSync(folder(name))

  async function crash() {
    await world.api[0]!.kill()
    world.api[0] = await startService('api', world.backing.env)
    for (const person of [world.ada, world.bob]) person.at = world.api[0]!.url
  }

  /** Sends a part; `between` runs after half of it. Status 0: the line broke. */
  async function append(id: string, offset: number, size: number, between?: () => unknown): Promise<number> {
    const outgoing = request(`${world.ada.at}/uploads/${id}`, {
      method: 'PATCH',
      headers: {
        'Upload-Offset': offset,
        'Content-Type': 'application/octet-stream',
        'Content-Length': size,
        Cookie: world.ada.cookie,
      },
    })
    const ended = new Promise<number>(resolve => {
      outgoing.once('error', () => resolve(0))
      outgoing.once('response', (incoming: IncomingMessage) => {
        incoming.resume().once('end', () => resolve(incoming.statusCode!))
      })
    })
    let sent = 0
    for (const chunk of bytesOf(offset, size)) {
      if (between && sent >= size / 2) await between()
      sent += chunk.length
      if (!outgoing.write(chunk)) await Promise.race([once(outgoing, 'drain').catch(() => {}), ended])
      if (outgoing.destroyed) break
    }
    outgoing.end()
    return ended
  }

  /** The most that the api and this process grow while `work` runs. A process that is started meanwhile counts whole. */
  async function growth(work: () => Promise<void>) {
    global.gc?.()
    const before = { api: resident(world.api[0]!.pid), client: resident('self') }
    const most = { ...before }
    const timer = setInterval(() => {
      try {
        most.api = Math.max(most.api, resident(world.api[0]!.pid))
      } catch {
        // Between two processes.
      }
      most.client = Math.max(most.client, resident('self'))
    }, 50)
    try {
      await work()
    } finally {
      clearInterval(timer)
    }
    return { api: Math.round(most.api - before.api), client: Math.round(most.client - before.client) }
  }

  for (const gib of [1, 2])
    it(`of ${gib} GiB arrive whole and once although the api is killed, in constant memory of both sides`, async () => {
      const size = gib * 1_024 * MIB
      const name = `${gib} GiB.bin`
      const id = randomUUID()
      const kills = [0.2, 0.5, 0.8].map(share => share * size)
      const began = performance.now()
      const up = await growth(async () => {
        let { offset, part_bytes } = await begin(id, name, size)
        while (offset < size) {
          const isKilled = kills.length > 0 && offset >= kills[0]!
          if (isKilled) kills.shift()
          const status = await append(
            id,
            offset,
            Math.min(part_bytes, size - offset),
            isKilled ? crash : undefined,
          )
          expect(status).to.equal(isKilled ? 0 : 200)
          const now = await begin(id, name, size)
          expect(now.offset, 'a part counts whole or not at all').to.equal(
            isKilled ? offset : Math.min(offset + part_bytes, size),
          )
          offset = now.offset
        }
      })
      const uploaded = performance.now()
      const sending = send(id).catch(() => undefined)
      await pause(5)
      await crash()
      await sending
      expect((await send(id)).status).to.equal(200)
      const rows = (await world.bob.get<MessagePayload[]>('/messages/general?extra=1')).filter(
        row => row.extra?.file?.name === name,
      )
      expect(rows.map(row => row.extra!.file!.size)).to.deep.equal([size])
      const path = `/files/${rows[0]!.filename}`

      const hash = createHash('sha256')
      const wanted = createHash('sha256')
      for (const chunk of bytesOf(0, size)) wanted.update(chunk)
      const downloading = performance.now()
      const down = await growth(async () => {
        const outgoing = request(world.bob.at + path, { headers: { Cookie: world.bob.cookie } })
        outgoing.end()
        const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
        expect([incoming.statusCode, incoming.headers['content-length']]).to.deep.equal([200, String(size)])
        for await (const chunk of incoming) hash.update(chunk as Buffer)
      })
      const downloaded = performance.now()
      expect(hash.digest('hex')).to.equal(wanted.digest('hex'))
      const end = await world.bob.fetch(path, { headers: { Range: `bytes=${size - 16}-` } })
      expect([end.status, end.headers.get('Content-Range')]).to.deep.equal([
        206,
        `bytes ${size - 16}-${size - 1}/${size}`,
      ])
      const [last] = bytesOf(size - 16, 16)
      expect(Buffer.from(await end.arrayBuffer()).equals(last!)).to.equal(true)
      expect(inFolder('uploads')).to.deep.equal([])
      // The janitor sweeps the parts that the killed processes had begun.
      expect(inFolder('incoming').length).to.be.at.most(3)
      for (const part of inFolder('incoming')) unlinkSync(join(folder('incoming'), part))
      console.log(
        `      ${name}: up ${Math.round((uploaded - began) / 100) / 10} s, down ` +
          `${Math.round((downloaded - downloading) / 100) / 10} s; growth in MiB up ${JSON.stringify(up)}, ` +
          `down ${JSON.stringify(down)}`,
      )
      for (const grown of [up.api, up.client, down.api, down.client]) expect(grown).to.be.below(MOST_GROWTH)
      await world.ada.delete(rows[0]!.id)
    })

  it('that are cancelled in the middle of a part leave nothing behind', async () => {
    const id = randomUUID()
    const { part_bytes } = await begin(id, 'cancelled.bin', 1_024 * MIB)
    for (let at = 0; at < 4; at++) expect(await append(id, at * part_bytes, part_bytes)).to.equal(200)
    const status = await append(id, 4 * part_bytes, part_bytes, async () => {
      const response = await world.ada.fetch(`/uploads/${id}`, { method: 'DELETE' })
      expect(response.status).to.equal(204)
    })
    expect(status).to.equal(404)
    await eventually(async () => expect([inFolder('uploads'), inFolder('incoming')]).to.deep.equal([[], []]))
    const { rows } = (await world.backing.admin('select id from uploads where not sent')) as {
      rows: unknown[]
    }
    expect(rows).to.deep.equal([])
    expect((await send(id)).status).to.equal(409)
  })

  it('are refused before a byte is sent where the quota or the disk has no room for them', async () => {
    const { ada, backing } = world
    const size = 1_024 * MIB
    const refusal = async (response: Response) => [response.status, await response.json()]
    await ada.patchJson('/admin/settings', { user_upload_mb_per_day: 1_000 })
    expect(await refusal(await ada.putJson(`/uploads/${randomUUID()}`, { name: 'a', size }))).to.deep.equal([
      413,
      { error: 'storage full: you can upload 1000 MB in 24 hours', code: 'too_large' },
    ])
    await ada.patchJson('/admin/settings', { user_upload_mb_per_day: 0 })
    const id = randomUUID()
    const { part_bytes } = await begin(id, 'begun.bin', size)
    expect(await append(id, 0, part_bytes)).to.equal(200)
    backing.settings({ rate_limit_enabled: false, max_upload_size_mb: 2_048, min_free_disk_percent: 100 })
    const full = [
      413,
      { error: 'storage full: the server has no room for files at the moment', code: 'too_large' },
    ]
    await eventually(async () =>
      expect(await refusal(await ada.putJson(`/uploads/${randomUUID()}`, { name: 'b', size }))).to.deep.equal(
        full,
      ),
    )
    expect(await refusal(await ada.appendPart(id, part_bytes, Buffer.alloc(9)))).to.deep.equal(full)
    expect((await begin(id, 'begun.bin', size)).offset, 'what is there stays').to.equal(part_bytes)
    expect(inFolder('incoming')).to.deep.equal([])
    await ada.fetch(`/uploads/${id}`, { method: 'DELETE' })
    expect(inFolder('uploads')).to.deep.equal([])
  })
})
