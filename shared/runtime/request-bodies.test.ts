import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { discardBody, keepEarlyResponse, limitBodyTime } from './request-bodies.ts'

describe('the bodies of requests', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  describe('with limits of a tenth of a second', () => {
    const limits = { uploadsWithin: 1_500, othersWithin: 300, leastBytes: 1_000, period: 100 }

    /** Sends pieces of `size` bytes every 50 ms; returns the status, 200 if the body was read to its end. */
    async function send(path: string, size: number, pieces: number): Promise<number> {
      const port = await serve((req, res) => {
        limitBodyTime(req, () => res.writeHead(408, { Connection: 'close' }).end(), limits)
        req.resume().once('end', () => res.headersSent || res.writeHead(200).end())
      })
      const out = request({ port, host: '127.0.0.1', method: 'POST', path })
      out.on('error', () => {})
      const answered = once(out, 'response')
      for (let i = 0; i < pieces && !out.destroyed; i++) {
        out.write('x'.repeat(size))
        await pause(50)
      }
      out.end()
      const [response] = await answered
      response.resume()
      return response.statusCode
    }

    it('are read to their end at the minimum upload rate, even beyond the time limit of other requests', async () => {
      expect(await send('/send/general', 2_000, 12)).to.equal(200)
      expect(await send('/avatar', 2_000, 12)).to.equal(200)
    })

    it('end with 408 when an upload falls below the minimum rate', async () => {
      expect(await send('/send/general', 100, 12)).to.equal(408)
    })

    it('end with 408 when an upload exceeds the time limit of uploads', async () => {
      expect(await send('/send/general', 2_000, 45)).to.equal(408)
    })

    it('end with 408 when another request exceeds its time limit, at any rate', async () => {
      expect(await send('/sender', 2_000, 12)).to.equal(408)
      expect(await send('/mark_read/general', 2_000, 12)).to.equal(408)
    })
  })

  it('are discarded after an early response, which the client receives although it keeps writing', async () => {
    const port = await serve((req, res) => {
      keepEarlyResponse(req, res)
      res.statusCode = 413
      res.setHeader('Connection', 'close')
      res.end('too large')
    })
    for (let i = 0; i < 20; i++) {
      const socket = connect(port, '127.0.0.1')
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 8000000\r\n\r\n')
      const piece = Buffer.alloc(1_000_000)
      for (let sent = 0; sent < 8; sent++) {
        if (!socket.write(piece)) await once(socket, 'drain')
      }
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).to.match(/^HTTP\/1.1 413 .*too large$/s)
      socket.destroy()
    }
  })

  it('are left alone when a reader that gave up has taken the connection away', () => {
    const gone = { complete: false, socket: null, resume: () => expect.fail('resumed') }
    expect(() => discardBody(gone as unknown as IncomingMessage)).to.not.throw()
  })
})
