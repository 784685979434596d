import { expect } from 'chai'
import { affectedTests, nearestFirst, nearness } from './affected-tests.ts'
import { graphOf, importsOf, reachOf } from './import-graph.ts'

/** Apart from `import`, or this file would count as one that opens stores. */
const WORLD = '#shared/test-kit/world.ts'
const SOURCES: Record<string, string> = {
  'shared/domain/paging.ts': '',
  'shared/domain/payloads/messages.ts': 'export interface Message {}',
  'shared/domain/paging.test.ts': `import { page } from './paging.ts'`,
  'shared/stores/migrations/0001.sql': '',
  'shared/stores/migrate.test.ts': `import '#shared/domain/paging.ts'`,
  'services/api/search/scan.ts': `import type { Message } from '#shared/domain/payloads/messages.ts'
import { page } from '#shared/domain/paging.ts'`,
  'services/api/search/search.test.ts': `import { newWorld } from '${WORLD}'`,
  'services/api/bad-input.slow.test.ts': `import { newWorld } from '${WORLD}'`,
  'services/events/events.slow.test.ts': `import { newWorld } from '${WORLD}'`,
  [WORLD.slice(1)]: '',
  'infra/consistency-tests/compose.test.ts': `const file = join(ROOT, 'docker-compose.yml')`,
  'docker-compose.yml': '',
  'infra/system-tests/faults/outages.test.ts': '',
  'web/src/features/search/SearchPanel.tsx': '',
  'web/src/features/channel/timeline/UnreadBar.tsx': '',
  'web/test/search.test.ts': '',
  'web/test/unread-bar.slow.test.ts': '',
}
const TESTS = Object.keys(SOURCES).filter(path => path.endsWith('.test.ts'))
const graph = graphOf(new Set(Object.keys(SOURCES)), path => SOURCES[path]!)
const affected = (...changed: string[]) => affectedTests(TESTS, changed, graph).toSorted()

describe('the tests that a change concerns', () => {
  it('import the changed file, directly or not', () => {
    expect(affected('shared/test-kit/world.ts')).to.deep.equal([
      'services/api/bad-input.slow.test.ts',
      'services/api/search/search.test.ts',
      'services/events/events.slow.test.ts',
    ])
    expect(nearness('shared/domain/paging.test.ts', ['shared/domain/paging.ts'], graph)).to.equal(1)
    expect(nearness('shared/domain/paging.test.ts', ['shared/domain/paging.test.ts'], graph)).to.equal(0)
  })

  it('are not those that import only types', () => {
    expect(reachOf('services/api/search/scan.ts', graph)).to.have.keys([
      'services/api/search/scan.ts',
      'shared/domain/paging.ts',
    ])
  })

  it('lie beside code that runs in a process, or in a folder above', () => {
    expect(affected('services/api/search/scan.ts')).to.deep.equal([
      'services/api/bad-input.slow.test.ts',
      'services/api/search/search.test.ts',
      'web/test/search.test.ts',
    ])
    expect(affected('shared/stores/migrations/0001.sql')).to.deep.equal([
      'infra/system-tests/faults/outages.test.ts',
      'shared/stores/migrate.test.ts',
    ])
  })

  it('quote the path of the changed file', () => {
    expect(affected('docker-compose.yml')).to.deep.equal(['infra/consistency-tests/compose.test.ts'])
  })

  it('in a browser are named after the changed feature or component', () => {
    expect(affected('web/src/features/search/SearchPanel.tsx')).to.deep.equal(['web/test/search.test.ts'])
    expect(affected('web/src/features/channel/timeline/UnreadBar.tsx')).to.deep.equal([
      'web/test/unread-bar.slow.test.ts',
    ])
  })

  it('are no others, and all of them after a change of the dependencies', () => {
    expect(affected('README.md')).to.deep.equal([])
    expect(affected('package-lock.json')).to.deep.equal(TESTS.toSorted())
  })

  it('run before the others, nearest first', () => {
    const order = nearestFirst(TESTS, ['shared/domain/paging.ts', 'shared/domain/paging.test.ts'], graph)
    expect(order.slice(0, 2)).to.deep.equal(['shared/domain/paging.test.ts', 'shared/stores/migrate.test.ts'])
    expect(order).to.have.members(TESTS)
  })
})

describe('the import graph', () => {
  it('has every form of import, and tells types apart', () => {
    const found = (source: string) =>
      importsOf('a/b.ts', source).map(({ target, isType }) => [target, isType])
    expect(found(`import { it } from './c.ts'`)).to.deep.equal([['a/c.ts', false]])
    expect(found(`import {\n  it,\n} from '#shared/d.ts'`)).to.deep.equal([['shared/d.ts', false]])
    expect(found(`import type { It } from "../processes/c.ts"`)).to.deep.equal([['processes/c.ts', true]])
    expect(found(`export { it } from './c.ts'`)).to.deep.equal([['a/c.ts', false]])
    expect(found(`export type It = 1\nexport * from './c.ts'`)).to.deep.equal([['a/c.ts', false]])
    expect(found(`const it = await import('./c.ts')`)).to.deep.equal([['a/c.ts', false]])
    expect(found(`import './c.css'`)).to.deep.equal([['a/c.css', false]])
    expect(found(`import { once } from 'node:events'`)).to.deep.equal([])
  })
})
