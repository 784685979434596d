import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from './children.ts'
import { writeWhole } from './whole-file.ts'

describe('a file that is written whole', () => {
  it('replaces the former one, and leaves nothing behind when it cannot be written', () => {
    const { path: folder, remove } = temporaryFolder('bothy-whole-')
    const path = join(folder, 'address')
    writeWhole(path, 'http://localhost:3000\n')
    writeWhole(path, 'http://localhost:3001\n')
    expect(readFileSync(path, 'utf8')).to.equal('http://localhost:3001\n')
    const taken = join(folder, 'taken')
    mkdirSync(taken)
    expect(() => writeWhole(taken, 'x')).to.throw(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(readdirSync(folder).toSorted()).to.deep.equal(['address', 'taken'])
    remove()
  })
})
