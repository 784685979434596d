import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/kernel/config.ts'

/** Who may import whom. A room is a folder; a line lists what it may enter besides itself: folders, or single files. */
type Doors = Record<string, readonly string[]>

const GROUND = ['shared/kernel', 'shared/rules']
const STORES = ['shared/stores', ...GROUND]

const DOORS: Doors = {
  'shared/rules': [],
  'shared/kernel': ['shared/rules'],
  'shared/stores': GROUND,
  'shared/notices': STORES,
  'shared/access': STORES,
  // Not notices: a read model does not know who asked, or why.
  'shared/collections': ['shared/access', ...STORES],
  'shared/http': STORES,
  'shared/jobs': ['shared/stores/redis.ts', 'shared/stores/keys.ts', 'shared/stores/scripts.ts', ...GROUND],
  'shared/test-kit': ['shared', 'infra/local'],

  'services/api': [
    'shared/collections',
    'shared/access',
    'shared/http',
    'shared/notices',
    'shared/jobs',
    ...STORES,
  ],
  'services/events': [
    'shared/collections',
    'shared/access',
    'shared/http',
    // The log and the table: a gateway writes nothing.
    'shared/notices/touches.ts',
    'shared/notices/notice-log.ts',
    'shared/notices/notice.ts',
    ...STORES,
  ],
  'services/janitor': ['shared/notices', ...STORES],
  // Connects to addresses that users chose: it can import neither the pool nor the files.
  'services/previews': [
    'shared/jobs',
    'shared/stores/redis.ts',
    'shared/stores/keys.ts',
    'shared/stores/scripts.ts',
    ...GROUND,
  ],
  'services/thumbnails': [
    'shared/jobs',
    'shared/stores/redis.ts',
    'shared/stores/keys.ts',
    'shared/stores/files.ts',
    ...GROUND,
  ],
  'services/stun': GROUND,

  'web/src': ['shared/rules'],
  // The client in real browsers, before real processes.
  // The table of keys is what its test presses.
  'web/test': ['infra/local', 'shared/test-kit', 'shared/rules', 'web/src/keyboard-sheet/shortcuts.ts'],
  web: [],
  infra: STORES,
  // The verbs of the api that an operator calls by hand.
  'infra/tools': ['services/api/accounts/issue-reset-token.ts', ...STORES],
  'infra/bench': [
    'infra/local',
    'shared/test-kit',
    'shared/collections',
    'shared/notices',
    // The statements themselves: as a reference beside the whole way, and for EXPLAIN.
    'services/api/messages',
    'services/api/read-state/queries.ts',
    // The reference server takes connections as a gateway does.
    'services/events/passed-sockets.ts',
    // Beside another library's reading of the same pages.
    'services/previews/open-graph.ts',
    'services/previews/page-text.ts',
    ...STORES,
  ],
}

/** A test may also enter these. It knows another service only by starting it. */
const FOR_TESTS = ['shared/test-kit']
/** Tests of the whole system start everything, so they lean on how it is started. */
const FOR_TESTS_OF_INFRA = ['infra/local', 'shared/rules', ...FOR_TESTS]

type Tree = Record<string, string>

/** Every import that no door leads to, as a sentence. */
function trespasses(tree: Tree, doors: Doors): string[] {
  return Object.entries(tree).flatMap(([file, source]) =>
    importsOf(file, source)
      .filter(target => !mayEnter(file, target, doors))
      .map(target => `${file} must not import ${target}`),
  )
}

/** The files of this repository that a file names in its imports and re-exports. */
function importsOf(file: string, source: string): string[] {
  const named = source.matchAll(/\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g)
  return [...named].flatMap(([, , path = '']) => {
    if (path.startsWith('#')) return [path.slice(1)]
    if (path.startsWith('.')) return [posix.join(dirname(file), path)]
    return []
  })
}

function mayEnter(file: string, target: string, doors: Doors): boolean {
  const room = roomOf(file, doors)
  if (room === undefined) return false
  const isTest = /\.test\.tsx?$/.test(file)
  const isInside = roomOf(target, doors) === room || isWithin(target, room)
  if (isInside) return !isForeignQuery(file, target)
  const tests = room.startsWith('infra') ? FOR_TESTS_OF_INFRA : FOR_TESTS
  const open = isTest ? [...(doors[room] ?? []), ...tests] : (doors[room] ?? [])
  return open.some(door => isWithin(target, door))
}

/** The innermost room that a file lies in. */
function roomOf(file: string, doors: Doors): string | undefined {
  return Object.keys(doors)
    .filter(room => isWithin(file, room))
    .sort((a, b) => b.length - a.length)[0]
}

const isWithin = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

/** The statements of an area of the api belong to it: the others use its verbs. */
function isForeignQuery(file: string, target: string) {
  return /^services\/api\/[^/]+\/queries\.ts$/.test(target) && dirname(file) !== dirname(target)
}

describe('the rooms', () => {
  it('are entered only through their doors', () => {
    const files = globSync('{shared,services,web,infra}/**/*.{ts,tsx}', {
      cwd: ROOT,
      exclude: path => /(^|\/)(node_modules|dist)$/.test(path),
    })
    const tree = Object.fromEntries(files.map(file => [file, readFileSync(join(ROOT, file), 'utf8')]))
    expect(files).to.include('shared/kernel/config.ts')
    expect(trespasses(tree, DOORS)).to.deep.equal([])
  })

  describe('are watched:', () => {
    const found = (file: string, path: string) =>
      trespasses({ [file]: `import { it } from '${path}'` }, DOORS)
    const caught = (file: string, path: string) =>
      expect(found(file, path), `${file} → ${path}`).to.have.length(1)
    const passed = (file: string, path: string) =>
      expect(found(file, path), `${file} → ${path}`).to.have.length(0)

    it('a service does not reach into another, nor shared code into a service', () => {
      caught('services/events/main.ts', '../api/app.ts')
      caught('services/events/main.test.ts', '../api/app.ts')
      caught('shared/collections/dms.ts', '../../services/api/channels/queries.ts')
      passed('services/api/main.ts', './app.ts')
    })

    it('the browser knows the rules and nothing else', () => {
      caught('web/src/store/store.ts', '#shared/collections/dms.ts')
      caught('web/src/store/store.ts', '../../../shared/kernel/config.ts')
      passed('web/src/store/store.ts', '#shared/rules/payloads.ts')
    })

    it('a layer leans only on those below it', () => {
      caught('shared/rules/mentions.ts', '#shared/kernel/clock.ts')
      caught('shared/collections/messages.ts', '#shared/notices/write.ts')
      passed('shared/collections/messages.ts', '#shared/access/readers.ts')
    })

    it('the previews worker has Redis but no database', () => {
      caught('services/previews/main.ts', '#shared/stores/postgres.ts')
      caught('services/previews/main.ts', '#shared/stores/stores.ts')
      passed('services/previews/main.ts', '#shared/stores/redis.ts')
    })

    it('a gateway reads notices and writes none', () => {
      caught('services/events/notice-feed.ts', '#shared/notices/write.ts')
      passed('services/events/notice-feed.ts', '#shared/notices/notice-log.ts')
    })

    it('an area of the api uses the verbs of another, not its statements', () => {
      caught('services/api/accounts/sign-up.ts', '../messages/queries.ts')
      passed('services/api/accounts/sign-up.ts', '../messages/post.ts')
      passed('services/api/accounts/sign-up.ts', './queries.ts')
    })

    it('the test kit is for tests', () => {
      caught('services/api/app.ts', '#shared/test-kit/world.ts')
      passed('services/api/app.test.ts', '#shared/test-kit/world.ts')
    })

    it('no form of import is overlooked, and a file outside every room is one too many', () => {
      const forms = [
        `export { it } from '#shared/kernel/log.ts'`,
        `const it = await import('#shared/kernel/log.ts')`,
        `import '#shared/kernel/log.ts'`,
        `import type { It } from "#shared/kernel/log.ts"`,
        `import {\n  it,\n} from '#shared/kernel/log.ts'`,
      ]
      for (const form of forms)
        expect(trespasses({ 'shared/rules/a.ts': form }, DOORS), form).to.have.length(1)
      caught('elsewhere/a.ts', './b.ts')
    })
  })
})
