import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import express from 'express'
import sharp from 'sharp'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { putAvatar } from './account/settings/avatar.ts'
import { sendErrors } from './middleware/errors.ts'

const fullDisk = (code: string) => Object.assign(new Error('no space left'), { code })

describe('a full disk', () => {
  let server: Server
  // Keep its log lines out of the test output.
  const { level } = log
  let url: string
  before(async () => {
    log.level = 'silent'
    const app = express()
    app.get('/:code', req => {
      throw Object.assign(fullDisk(req.params.code), req.query)
    })
    app.use(sendErrors())
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.close()
    log.level = level
  })

  it('is reported as such to the uploader (security 7)', async () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const response = await fetch(`${url}/${code}`)
      expect([response.status, await response.text()], code).to.deep.equal([
        413,
        'storage full: the server has no room for files at the moment',
      ])
    }
    expect((await fetch(`${url}/EIO`)).status).to.equal(500)
  })

  it('is distinguished from a missing or unwritable folder of files: 503', async () => {
    for (const code of ['EROFS', 'ENOENT', 'EIO']) {
      const response = await fetch(`${url}/${code}?syscall=open`)
      expect(
        [response.status, response.headers.get('Retry-After'), await response.text()],
        code,
      ).to.deep.equal([503, '10', 'files cannot be stored or read at the moment'])
    }
  })

  it('is distinguished from an avatar that is not an image', async () => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const { path, remove } = temporaryFile(bytes)
    const files = { put: () => Promise.reject(fullDisk('ENOSPC')) }
    const settings = { current: { user_upload_mb_per_day: 0 } }
    const db = { query: async () => ({ rows: [] }) }
    const outcome = await putAvatar({ files, settings, db } as unknown as Stores, 'ada', {
      path,
      originalName: 'me.png',
    }).catch((err: NodeJS.ErrnoException) => err.code)
    remove()
    expect(outcome).to.equal('ENOSPC')
  })
})

function temporaryFile(bytes: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'bothy-test-'))
  const path = join(folder, 'upload')
  writeFileSync(path, bytes)
  return { path, remove: () => rmSync(folder, { recursive: true }) }
}
