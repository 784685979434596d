import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import sharp from 'sharp'
import { startFrontDoor } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import type { FrontDoor } from '../../run/front-door.ts'

const MIB = 1024 * 1024

describe('uploads, at an api process and through the front door', function () {
  this.timeout(180_000)
  let world: World
  let door: FrontDoor

  before(async () => {
    world = await newWorld({ settings: { max_request_size_mb: 1 } })
    door = await startFrontDoor(world.api)
  })
  after(async () => {
    await door?.close()
    await world.end()
  })

  const doors: [name: string, url: () => string][] = [
    ['an api process', () => world.api[0]!.url],
    ['the front door', () => `http://127.0.0.1:${door.port}`],
  ]

  for (const [name, url] of doors) {
    it(`over the limit get 413 with the limit, 100 of 100 times, at ${name}`, async () => {
      const tally: Record<string, number> = {}
      const bytes = new Uint8Array(3 * MIB)
      const upload = async () => {
        const form = new FormData()
        form.append('files', new File([bytes], 'large.png'))
        const cookie = { Cookie: world.ada.cookie }
        const outcome = await fetch(`${url()}/send/general`, { method: 'POST', body: form, headers: cookie })
          .then(async answer => `${answer.status} ${await answer.text()}`)
          .catch(err => String((err as Error).cause ?? err))
        tally[outcome] = (tally[outcome] ?? 0) + 1
      }
      for (let i = 0; i < 25; i++) await Promise.all([upload(), upload(), upload(), upload()])
      expect(tally).to.deep.equal({ '413 request too large (max 1 MB)': 100 })
    })

    it(`without a length get 413 while the client goes on writing, at ${name}`, async () => {
      for (let i = 0; i < 10; i++) {
        const out = request(`${url()}/send/general`, {
          method: 'POST',
          headers: { Cookie: world.ada.cookie, 'Content-Type': 'multipart/form-data; boundary=edge' },
        })
        out.on('error', () => {})
        const answered = once(out, 'response')
        out.write('--edge\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\n\r\n')
        for (let sent = 0; sent < 4; sent++) {
          if (!out.write(Buffer.alloc(MIB))) await Promise.race([once(out, 'drain'), answered])
        }
        const [answer] = await answered
        expect(answer.statusCode).to.equal(413)
        answer.resume()
        out.destroy()
      }
    })

    it(`slower than the least rate get 408 after a period, at ${name}`, async () => {
      const out = request(`${url()}/send/general`, {
        method: 'POST',
        headers: {
          Cookie: world.ada.cookie,
          'Content-Type': 'multipart/form-data; boundary=edge',
          'Content-Length': 100_000,
        },
      })
      out.on('error', () => {})
      const answered = once(out, 'response')
      let isOver = false
      void answered.finally(() => {
        isOver = true
      })
      for (let i = 0; i < 200 && !isOver; i++) {
        out.write('x'.repeat(100))
        await pause(100)
      }
      const [answer] = await answered
      expect(answer.statusCode).to.equal(408)
      answer.resume()
      out.destroy()
    })
  }

  /** Uploads a picture of about 390 KB at a constant rate. Returns the status and body of the response. */
  async function uploadWithin(at: string, seconds: number): Promise<[number | undefined, string]> {
    const side = 360
    const picture = await sharp(randomBytes(side * side * 3), {
      raw: { width: side, height: side, channels: 3 },
    })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const head = '--edge\r\nContent-Disposition: form-data; name="files"; filename="slow.png"\r\n\r\n'
    const body = Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--edge--\r\n')])
    const out = request(`${at}/send/general`, {
      method: 'POST',
      headers: {
        Cookie: world.ada.cookie,
        'Content-Type': 'multipart/form-data; boundary=edge',
        'Content-Length': body.length,
      },
    })
    out.on('error', () => {})
    const answered = once(out, 'response')
    let isOver = false
    out.once('close', () => {
      isOver = true
    })
    const piece = Math.ceil(body.length / seconds)
    for (let i = 0; i < body.length && !isOver; i += piece) {
      await pause(1_000)
      out.write(body.subarray(i, i + piece))
    }
    out.end()
    const [answer] = (await answered) as [IncomingMessage]
    return [answer.statusCode, Buffer.concat(await answer.toArray()).toString()]
  }

  // Node looks every 30 s for requests over its time limit; a limit of 60 s would have ended these.
  it('of 100 seconds above the least rate succeed, at an api process and through the front door', async function () {
    this.timeout(160_000)
    const began = performance.now()
    const answers = await Promise.all(doors.map(([, url]) => uploadWithin(url(), 100)))
    expect(answers).to.deep.equal([
      [200, 'ok'],
      [200, 'ok'],
    ])
    expect(performance.now() - began).to.be.above(95_000)
    const { filename } = (await world.ada.messages('general')).at(-1)!
    expect((await world.ada.fetch(`/files/${filename}`)).status).to.equal(200)
  })
})
