import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { startFrontDoor } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import type { FrontDoor } from '../run/front-door.ts'

const MIB = 1024 * 1024

describe('uploads, at an api process and through the front door', function () {
  this.timeout(60_000)
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
})
