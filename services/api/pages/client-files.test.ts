import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

describe('the files of the client', () => {
  let backing: TestBacking
  let api: RunningService
  let script: string
  before(async () => {
    backing = await testBacking()
    api = await startService('api', backing.env)
    const { client } = (await (await fetch(`${api.url}/version`)).json()) as { client: string }
    script = client
  })
  after(async () => {
    await api?.stop()
    await backing?.drop()
  })

  /** Without fetch's automatic decompression. */
  async function raw(path: string, encodings?: string) {
    const headers = encodings === undefined ? {} : { 'Accept-Encoding': encodings }
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(api.url + path, { headers }, resolve).on('error', reject),
    )
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
  }

  it('are sent in the smallest encoding that the browser accepts, cacheable indefinitely', async () => {
    const plain = await raw(script)
    expect(plain.headers['content-encoding']).to.equal(undefined)
    const forms = [
      { takes: 'gzip, deflate, br', sends: 'br', open: brotliDecompressSync },
      { takes: 'gzip, deflate', sends: 'gzip', open: gunzipSync },
      { takes: 'br;q=0, gzip;q=0.5', sends: 'gzip', open: gunzipSync },
    ]
    for (const { takes, sends, open } of forms) {
      const { headers, body } = await raw(script, takes)
      expect(headers['content-encoding'], takes).to.equal(sends)
      expect(headers['content-type'])
        .to.equal(plain.headers['content-type'])
        .and.match(/javascript/)
      expect(headers['cache-control']).to.match(/immutable/)
      expect(headers.vary).to.match(/Accept-Encoding/)
      expect(body.length).to.be.below(plain.body.length / 2)
      expect(open(body).equals(plain.body)).to.equal(true)
    }
  })

  it('return 404 if they do not exist, in every encoding', async () => {
    for (const path of ['/assets/none.js', '/assets/%2e%2e/index.html', '/assets/..%2f..%2fpackage.json'])
      for (const takes of ['br', 'gzip', undefined]) {
        const { status, headers } = await raw(path, takes)
        expect([302, 404], path).to.include(status)
        expect(headers['content-encoding']).to.equal(undefined)
      }
  })
})
