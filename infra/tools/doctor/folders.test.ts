import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { type SmallDisk, smallDisk } from '#shared/test-kit/small-disk.ts'
import { examineFolder } from './folders.ts'

describe('the doctor in a folder whose disk is full', () => {
  let disk: SmallDisk | undefined
  before(function () {
    disk = smallDisk(1)
    if (!disk) this.skip()
  })
  after(() => disk?.remove())

  it('tells so and leaves no file', async () => {
    const { path } = disk!
    disk!.fill()
    const finding = await examineFolder({ part: 'backup folder', variable: 'BACKUP_DIR', text: path, path })
    expect(finding.state).to.equal('fault')
    expect(finding.found).to.contain('cannot be written')
    expect(readdirSync(path)).to.deep.equal(['filler'])
  })
})
