import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { freePort } from '../processes/free-port.ts'
import { findCaddy, startCaddy } from './caddy.fixture.ts'

/** For each of the connection pools. */
const PROBES = ['/version', '/api/api.test']

/** `npm start` has the same rule: infra/run/front-door.slow.test.ts. */
describe('Caddy, when a process dies or freezes under a request', function () {
  this.timeout(120_000)

  it("repeats a read, and no write; of Slack's methods none, which write by GET as well", async function () {
    const program = await findCaddy()
    if (program === undefined) this.skip()
    const arrived = new Map<string, number>()
    const { server, port: api } = await listening((req, res) => {
      const line = `${req.method} ${req.url}`
      const count = (arrived.get(line) ?? 0) + 1
      arrived.set(line, count)
      if (PROBES.includes(req.url!) || count > 1) res.end('fine')
      else req.socket.destroy()
    })
    const url = `http://127.0.0.1:${await freePort()}`
    const caddy = await startCaddy(program, {
      ...{ api, events: api, env: { SITE_ADDRESS: url }, probe: `${url}${PROBES[0]}` },
      edit: text => text.replace('max_fails 1', 'max_fails 1000'),
    })
    try {
      for (const [method, path, times] of [
        ['GET', '/sidebar', 2],
        ['GET', '/apiary', 2],
        ['POST', '/send/general', 1],
        ['GET', '/api/chat.postMessage?text=a', 1],
        ['GET', '/API/chat.delete', 1],
        ['POST', '/api/chat.postMessage', 1],
      ] as const) {
        // Leave connections that the request may use: over such a one Go itself repeats a GET.
        for (const probe of PROBES) await (await fetch(url + probe)).text()
        const { status } = await fetch(url + path, { method })
        expect([status, arrived.get(`${method} ${path}`)], `${method} ${path}`).to.deep.equal([
          times === 2 ? 200 : 502,
          times,
        ])
      }
    } finally {
      await caddy.stop()
      end(server)
    }
  })

  it('repeats a read of a frozen process at another one, never at the frozen one again', async function () {
    const program = await findCaddy()
    if (program === undefined) this.skip()
    let isFrozen = false
    const frozenGot: string[] = []
    const { server: frozen, port } = await listening((req, res) => {
      if (isFrozen) frozenGot.push(req.url!)
      else res.end('fine')
    })
    const { server: other, port: api } = await listening((_, res) => res.end('fine'))
    const url = `http://127.0.0.1:${await freePort()}`
    const caddy = await startCaddy(program, {
      ...{ api, events: api, env: { SITE_ADDRESS: url }, probe: `${url}${PROBES[0]}` },
      // The frozen one is noticed after half a second in place of five.
      edit: text =>
        text.replace('to {args.0}', `to {args.0} 127.0.0.1:${port}`).replaceAll(' 5s 2s', ' 500ms 2s'),
    })
    try {
      isFrozen = true
      // Each time half of the repetitions would get there again.
      for (let i = 0; frozenGot.length < 8; i++)
        expect((await fetch(`${url}/sidebar?${i}`)).status, `after ${frozenGot.length}`).to.equal(200)
      expect(new Set(frozenGot)).to.have.property('size', frozenGot.length)
    } finally {
      await caddy.stop()
      end(frozen)
      end(other)
    }
  })
})

async function listening(listener: RequestListener): Promise<{ server: Server; port: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: String((server.address() as AddressInfo).port) }
}

function end(server: Server) {
  server.closeAllConnections()
  server.close()
}
