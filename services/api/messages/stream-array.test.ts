import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import express from 'express'
import { streamArray } from './stream-array.ts'

const ROW = 'x'.repeat(16 * 1024)

describe('a response streamed row by row', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  /** A server that streams `pages` with these limits; `ended` resolves when it has finished with the response. */
  async function streaming(pages: Iterable<unknown[]>, limits: { stalled: number; total: number }) {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const app = express()
    app.get('/', async (_req, res) => {
      await streamArray(res, pages, limits)
      resolve()
    })
    server = createServer(app).listen(0)
    await once(server, 'listening')
    const request = get({ port: (server.address() as AddressInfo).port, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.on('error', () => {})
    return { response, ended }
  }

  function* endless() {
    for (;;) yield Array.from({ length: 64 }, () => ROW)
  }

  it('is one JSON array', async () => {
    const { response, ended } = await streaming([[1, 2], [], [3]], { stalled: 1_000, total: 1_000 })
    expect(Buffer.concat(await response.toArray()).toString()).to.equal('[1,2,3]')
    await ended
  })

  it('is cut when the reader takes nothing for the stalled limit', async () => {
    const { ended } = await streaming(endless(), { stalled: 200, total: 60_000 })
    await ended
  })

  it('is cut after the total limit, though the reader goes on reading slowly', async () => {
    const began = performance.now()
    const { response, ended } = await streaming(endless(), { stalled: 10_000, total: 1_000 })
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    let taken = 0
    for (let i = 0; i < 300 && !isOver; i++) {
      taken += (response.read() as Buffer | null)?.length ?? 0
      await pause(20)
    }
    expect(isOver).to.equal(true)
    expect(taken).to.be.above(0)
    expect(performance.now() - began).to.be.within(900, 5_000)
  })
})
