import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { smallDisk } from '#shared/test-kit/small-disk.ts'
import { FolderPlace } from './folder-place.ts'

const MIB = 1024 * 1024

describe('a folder of backups on a full disk', () => {
  it('keeps nothing of a file that met the end of the disk', async function () {
    const disk = smallDisk(2)
    if (!disk) return this.skip()
    try {
      disk.fill(MIB)
      const bytes = Readable.from([randomBytes(MIB / 2), randomBytes(MIB)])
      const outcome = await new FolderPlace(disk.path).write('files/a', bytes).then(
        () => undefined,
        (err: { code: string }) => err.code,
      )
      expect(outcome).to.equal('ENOSPC')
      expect(readdirSync(`${disk.path}/files`)).to.deep.equal([])
    } finally {
      disk.remove()
    }
  })
})
