import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Health } from './health.ts'

describe('/readyz', () => {
  let asked: number
  let isThere: boolean
  let health: Health
  let server: Server
  let url: string
  beforeEach(done => {
    asked = 0
    isThere = true
    health = new Health({
      async store() {
        asked++
        if (!isThere) throw new Error('away')
      },
    })
    server = createServer((req, res) => void health.answer(req, res))
    server.listen(0, '127.0.0.1', () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz?stores`
      done()
    })
  })
  afterEach(done => {
    server.close(() => done())
    server.closeAllConnections()
  })

  const ready = async () => (await fetch(url)).text()

  it('checks the stores once a second, however many requests come', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, ready))
    expect(new Set(answers)).to.deep.equal(new Set(['ready\n']))
    expect(asked).to.equal(1)
  })

  it('names an unavailable store within about a second', async () => {
    await ready()
    isThere = false
    await pause(1_050)
    expect(await ready()).to.equal('waiting for store\n')
  })

  it('describes this process alone without `stores`', async () => {
    isThere = false
    expect(await (await fetch(url.replace('?stores', ''))).text()).to.equal('ready\n')
    expect(asked).to.equal(0)
  })

  it('reports a stopping process at once', async () => {
    await ready()
    health.drain()
    expect(await ready()).to.equal('stopping\n')
  })
})
