import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../processes/children.ts'
import { LogFile } from './log-file.ts'

describe('the log of a process of npm start', () => {
  it('takes twice its limit at most, and keeps the newest lines in order', async () => {
    const { path: folder, remove } = temporaryFolder('bothy-log-')
    const path = join(folder, 'api.log')
    writeFileSync(path, `${'x'.repeat(900)}\n`)
    const log = new LogFile(path, { limit: 1_000 })
    for (let i = 0; i < 500; i++) {
      log.write(`line ${i}`)
      if (i % 50 === 0) await new Promise(resolve => setTimeout(resolve, 5))
    }
    await log.end()
    expect(readdirSync(folder).sort()).to.deep.equal(['api.log', 'api.log.old'])
    const lines = [`${path}.old`, path].flatMap(file => readFileSync(file, 'utf8').trim().split('\n'))
    const newest = Array.from({ length: lines.length }, (_, i) => `line ${500 - lines.length + i}`)
    expect(lines).to.deep.equal(newest)
    remove()
  })

  it('loses lines while they cannot be written, goes on, and tells once how many were lost', async () => {
    const { path: folder, remove } = temporaryFolder('bothy-log-')
    const path = join(folder, 'logs/api.log')
    const said: string[] = []
    const log = new LogFile(path, { retryEvery: 20, say: sentence => said.push(sentence) })
    // As a full disk: the folder can be neither made nor written.
    writeFileSync(join(folder, 'logs'), '')
    for (let i = 0; i < 3; i++) {
      log.write(`line ${i}`)
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    expect(said).to.have.length(1)
    expect(said[0]).to.match(/^is not logged until there is room \(E/)
    rmSync(join(folder, 'logs'))
    log.write('line 3')
    log.write('line 4')
    await log.end()
    expect(said.slice(1)).to.deep.equal(['is logged again; 3 lines were lost'])
    const [lost, ...lines] = readFileSync(path, 'utf8').trim().split('\n')
    expect(JSON.parse(lost!)).to.include({ level: 'warn', msg: 'log lines lost', lines: 3 })
    expect(lines).to.deep.equal(['line 3', 'line 4'])
    remove()
  })
})
