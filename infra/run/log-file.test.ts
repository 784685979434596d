import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../processes/children.ts'
import { LogFile } from './log-file.ts'

describe('the log of a process of npm start', () => {
  it('takes twice its limit at most, and keeps the newest lines in order', async () => {
    const { path: folder, remove } = temporaryFolder('bothy-log-')
    const path = join(folder, 'api.log')
    writeFileSync(path, `${'x'.repeat(900)}\n`)
    const log = new LogFile(path, 1_000)
    for (let i = 0; i < 500; i++) {
      log.write(`line ${i}`)
      if (i % 50 === 0) await new Promise(resolve => setTimeout(resolve, 5))
    }
    await new Promise<void>(resolve => log.end(resolve))
    expect(readdirSync(folder).sort()).to.deep.equal(['api.log', 'api.log.old'])
    const lines = [`${path}.old`, path].flatMap(file => readFileSync(file, 'utf8').trim().split('\n'))
    const newest = Array.from({ length: lines.length }, (_, i) => `line ${500 - lines.length + i}`)
    expect(lines).to.deep.equal(newest)
    remove()
  })
})
