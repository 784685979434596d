import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express, { type RequestHandler } from 'express'
import { flushNotices } from '#shared/notices/notice-log.ts'
import { collectNotices, publishNotice } from '#shared/notices/outbox.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { form, json, messageUploads } from './bodies.ts'

describe('the notices of a request', () => {
  let backing: TestBacking
  let stores: OpenStores
  let server: Server
  let at: string
  /** Called before the response is sent. */
  let beforeTheEnd: () => Promise<unknown>

  before(async () => {
    backing = await testBacking()
    stores = await storesOf(backing)
    const app = express()
    app.use((_req, res, next) => collectNotices(res, next))
    const write: RequestHandler = async (_req, res) => {
      await publishNotice(stores, { concerns: [{ collections: ['typing'] }] })
      await beforeTheEnd()
      res.end('ok')
    }
    app.post('/json', json, write)
    app.post('/form', form, write)
    app.post('/upload', messageUploads(stores), write)
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await stores.stop()
    await backing.drop()
  })
  beforeEach(async () => {
    await stores.redis.del(stores.keys.notices())
    beforeTheEnd = async () => {}
  })

  const published = () => stores.redis.xlen(stores.keys.notices())
  const turns = async () => {
    for (let i = 0; i < 5; i++) await stores.redis.ping()
  }

  it('are appended after its response is sent, with any kind of body', async () => {
    const upload = new FormData()
    upload.set('text', 'hello')
    upload.append('files', new File([new Uint8Array(100_000)], 'a.png'))
    const bodies: [string, string | URLSearchParams | FormData, Record<string, string>][] = [
      ['json', '{"a":1}', { 'Content-Type': 'application/json' }],
      ['form', new URLSearchParams({ text: 'hello' }), {}],
      ['upload', upload, {}],
    ]
    for (const [kind, body, headers] of bodies) {
      const before = await published()
      let seen: number | undefined
      beforeTheEnd = async () => {
        await turns()
        seen = await published()
      }
      const response = await fetch(`${at}/${kind}`, { method: 'POST', body, headers })
      expect(response.status).to.equal(200)
      expect(seen, kind).to.equal(before)
      await eventually(async () => expect(await published()).to.equal(before + 1))
    }
  })

  it('are appended when the connection closes first, or the response takes too long', async () => {
    const leaving = new AbortController()
    let go = () => {}
    beforeTheEnd = () => {
      leaving.abort()
      return new Promise<void>(resolve => {
        go = resolve
      })
    }
    await fetch(`${at}/json`, { method: 'POST', body: '{}', signal: leaving.signal }).catch(() => {})
    await eventually(async () => expect(await published()).to.equal(1))
    go()

    beforeTheEnd = () => eventually(async () => expect(await published()).to.equal(2))
    expect((await fetch(`${at}/json`, { method: 'POST', body: '{}' })).status).to.equal(200)
  })

  it('do not delay a response while Redis is slow, and are flushed when the process stops', async () => {
    // A key of another type makes Redis refuse them, as a full Redis would.
    await stores.redis.set(stores.keys.notices(), 'in the way')
    expect((await fetch(`${at}/json`, { method: 'POST', body: '{}' })).status).to.equal(200)
    await turns()
    await stores.redis.del(stores.keys.notices())
    await flushNotices()
    expect(await published()).to.equal(1)
  })
})
