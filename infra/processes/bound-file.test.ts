import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { boundFile } from './bound-file.ts'
import { runToEnd, startChild, stopChild, temporaryFolder } from './children.ts'

describe('a log to which a store appends', () => {
  it('takes twice its limit at most while the store goes on writing', async () => {
    const { path: folder, remove } = temporaryFolder('bothy-log-')
    const path = join(folder, 'postgres.log')
    writeFileSync(path, `${'x'.repeat(5_000)}\n`)
    const unbound = boundFile(path, { limit: 1_000, every: 20 })
    expect(statSync(path).size, 'at the start').to.equal(0)
    expect(readFileSync(`${path}.old`, 'utf8')).to.equal(`${'x'.repeat(999)}\n`)
    const script = `i=0; while :; do i=$((i + 1)); echo "line $i" >> "$0"; sleep 0.001; done`
    const store = startChild('sh', ['-c', `exec sh -c '${script}' "$0"`, path])
    try {
      await eventually(() => {
        const [first = ''] = readFileSync(`${path}.old`, 'utf8').match(/line \d+\n/g) ?? []
        expect(Number(first.slice(5))).to.be.greaterThan(200)
      })
      await stopChild(store)
      await eventually(() => expect(statSync(path).size).to.be.at.most(1_000))
    } finally {
      await stopChild(store)
      unbound()
    }
    expect(statSync(`${path}.old`).size).to.be.at.most(1_000)
    const { ok } = await runToEnd('grep', ['-q', '[^a-z0-9 ]', path])
    expect(ok, 'no holes after the file was emptied').to.equal(false)
    remove()
  })
})
