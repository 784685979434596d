import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { freePort } from '../processes/free-port.ts'
import { findCaddy, startCaddy } from './caddy.fixture.ts'

/** For each of the connection pools. */
const PROBES = ['/version', '/api/api.test']

/** `npm start` has the same rule: infra/run/front-door.slow.test.ts. */
describe('Caddy, when a process dies under a request', function () {
  this.timeout(120_000)

  it("repeats a read, and no write; of Slack's methods none, which write by GET as well", async function () {
    const program = await findCaddy()
    if (program === undefined) this.skip()
    const arrived = new Map<string, number>()
    const server = createServer((req, res) => {
      const line = `${req.method} ${req.url}`
      const count = (arrived.get(line) ?? 0) + 1
      arrived.set(line, count)
      if (PROBES.includes(req.url!) || count > 1) res.end('fine')
      else req.socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const api = String((server.address() as AddressInfo).port)
    const url = `http://127.0.0.1:${await freePort()}`
    const caddy = await startCaddy(program, {
      ...{ api, events: api, env: { SITE_ADDRESS: url }, probe: `${url}${PROBES[0]}` },
      edit: text => text.replace('max_fails 3', 'max_fails 1000'),
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
      server.closeAllConnections()
      server.close()
    }
  })
})
