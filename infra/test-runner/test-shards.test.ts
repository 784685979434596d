import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { graphOf } from './import-graph.ts'
import { newestFirst, runShards, shardsOf } from './test-shards.ts'

/** Apart from `import`, or this file would count as one that needs them. */
const WORLD = '#shared/test-kit/world.ts'
const STORES = '#shared/test-kit/stores.ts'
const BROWSER = '#shared/test-kit/browser.ts'
const CHILDREN = '#infra/processes/children.ts'

describe('the shards of npm test', () => {
  /** Runs that end on demand, and the running ones. */
  function bench() {
    const running = new Map<string, () => void>()
    const run = ([file]: string[]) =>
      new Promise<string>(resolve => {
        running.set(file!, () => {
          running.delete(file!)
          resolve(file!)
        })
      })
    async function end(file: string) {
      running.get(file)!()
      await new Promise(setImmediate)
      return [...running.keys()]
    }
    return { run, end, running }
  }

  it('are two, and one is for browsers while files with browsers are left', async () => {
    const { run, end, running } = bench()
    const done = runShards({ browsers: [['b1'], ['b2']], others: [['s1'], ['s2'], ['s3'], ['s4']] }, run)
    expect([...running.keys()]).to.deep.equal(['b1', 's1'])
    expect(await end('s1')).to.deep.equal(['b1', 's2'])
    expect(await end('b1')).to.deep.equal(['s2', 'b2'])
    expect(await end('b2')).to.deep.equal(['s2', 's3'])
    expect(await end('s2')).to.deep.equal(['s3', 's4'])
    await end('s3')
    await end('s4')
    expect(await done).to.deep.equal({ results: ['s1', 'b1', 'b2', 's2', 's3', 's4'], left: [] })
  })

  it('need stores only if a file reaches them by its imports, and pure files share a process', () => {
    const sources: Record<string, string> = {
      'a/pure.test.ts': `import type { World } from '${WORLD}'`,
      'a/other.test.ts': '',
      'a/world.test.ts': `import './helper.ts'`,
      'a/helper.ts': `import { newWorld } from '${WORLD}'`,
      'a/children.test.ts': `import { startChild } from '${CHILDREN}'`,
      'web/story.test.ts': `import { launchBrowser } from '${BROWSER}'`,
      [WORLD.slice(1)]: `import { testBacking } from '${STORES}'`,
      [STORES.slice(1)]: '',
      [BROWSER.slice(1)]: '',
      [CHILDREN.slice(1)]: '',
    }
    const graph = graphOf(new Set(Object.keys(sources)), path => sources[path]!)
    expect(shardsOf(['a/pure.test.ts', 'a/children.test.ts', 'a/other.test.ts'], graph)).to.deep.equal({
      browsers: [],
      others: [['a/children.test.ts'], ['a/pure.test.ts', 'a/other.test.ts']],
      needsStores: false,
    })
    expect(shardsOf(['web/story.test.ts', 'a/world.test.ts'], graph)).to.deep.equal({
      browsers: [['web/story.test.ts']],
      others: [['a/world.test.ts']],
      needsStores: true,
    })
  })

  it('never run two browsers at once, even if the other lane is idle', async () => {
    const { run, end, running } = bench()
    const done = runShards({ browsers: [['b1'], ['b2']], others: [['s1']] }, run)
    expect(await end('s1')).to.deep.equal(['b1'])
    expect(await end('b1')).to.deep.equal(['b2'])
    await end('b2')
    expect((await done).results).to.deep.equal(['s1', 'b1', 'b2'])
    expect([...running.keys()]).to.deep.equal([])
  })

  it('begin no further file when it is late, and name the rest', async () => {
    const { run, end } = bench()
    let isLate = false
    const shards = { browsers: [['b1'], ['b2']], others: [['s1'], ['s2']] }
    const done = runShards(shards, run, () => isLate)
    isLate = true
    expect(await end('s1')).to.deep.equal(['b1'])
    expect(await end('b1')).to.deep.equal([])
    expect(await done).to.deep.equal({ results: ['s1', 'b1'], left: [['b2'], ['s2']] })
  })

  it('are sorted by their last commits, newest first', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'bothy-order-'))
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd })
    try {
      git('init', '-q')
      for (const name of ['a', 'b', 'c', 'a']) {
        appendFileSync(join(cwd, name), 'x')
        git('add', '.')
        git('commit', '-qm', name)
      }
      expect(newestFirst(['a', 'b', 'c', 'never'], cwd)).to.deep.equal(['a', 'c', 'b', 'never'])
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })
})
