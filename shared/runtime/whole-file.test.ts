import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { writeWhole } from './whole-file.ts'

describe('a file that is written whole', () => {
  it('replaces the former one, and leaves nothing behind when it cannot be written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bothy-whole-'))
    const path = join(folder, 'address')
    writeWhole(path, 'http://localhost:3000\n')
    writeWhole(path, 'http://localhost:3001\n')
    expect(readFileSync(path, 'utf8')).to.equal('http://localhost:3001\n')
    const taken = join(folder, 'taken')
    mkdirSync(taken)
    expect(() => writeWhole(taken, 'x')).to.throw(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(readdirSync(folder).toSorted()).to.deep.equal(['address', 'taken'])
    rmSync(folder, { recursive: true })
  })
})
