import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express from 'express'
import type { FileStore } from '#shared/stores/files.ts'
import { sendErrors } from '../middleware/errors.ts'
import { serveFile } from './serve-file.ts'

describe('a file that is removed while it is requested', () => {
  let server: Server
  before(done => {
    const app = express().set('etag', false)
    // Exists when its size is read, but not when its content is.
    const read = async () => undefined
    const files = { size: async () => 5, read } as unknown as FileStore
    const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'private, max-age=1000, immutable' }
    app.get('/', (req, res) => serveFile(req, res, files, 'a.png', headers))
    app.use(sendErrors)
    server = createServer(app).listen(0, '127.0.0.1', done)
  })
  after(() => server.close())

  it('returns 404, which is not cached', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    for (const headers of [{}, { Range: 'bytes=1-2' }]) {
      const response = await fetch(url, { headers })
      expect(response.status).to.equal(404)
      for (const name of ['ETag', 'Cache-Control', 'Content-Range', 'Accept-Ranges'])
        expect(response.headers.get(name), name).to.equal(null)
    }
  })
})
