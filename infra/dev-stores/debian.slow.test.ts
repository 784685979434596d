import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../processes/children.ts'
import { hasApt, unpackPackage } from './debian.ts'

describe('packages of Debian', function () {
  this.timeout(300_000)

  it('may be unpacked by two processes at once, and leave nothing but the package', async function () {
    if (!hasApt()) this.skip()
    const { path, remove } = temporaryFolder('bothy-debian-')
    try {
      const folder = join(path, 'pgbouncer')
      await Promise.all([unpackPackage('pgbouncer', folder), unpackPackage('pgbouncer', folder)])
      expect(existsSync(join(folder, 'usr/sbin/pgbouncer'))).to.equal(true)
      expect(readdirSync(path)).to.deep.equal(['pgbouncer'])
    } finally {
      remove()
    }
  })
})
