import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { importsOf } from '../../infra/test-runner/import-graph.ts'

/** The import table. A room is a folder; its entry lists the other folders or single files that it may import. */
type AllowedImports = Record<string, readonly string[]>

const GROUND = ['shared/runtime', 'shared/domain']
const STORES = ['shared/stores', ...GROUND]

const COMMON_MAY_IMPORT = ['shared/domain', 'web/src/ui', 'web/src/i18n', 'web/src/store', 'web/src/net']
const FEATURES_MAY_IMPORT = [...COMMON_MAY_IMPORT, 'web/src/common']

/** Each feature is a room. It may import only the entry of another feature, a file `open-*.ts`. */
function features(): AllowedImports {
  const folders = globSync('web/src/features/*', { cwd: ROOT })
  const entries = globSync('web/src/features/*/open-*.ts', { cwd: ROOT })
  return Object.fromEntries(folders.map(folder => [folder, [...FEATURES_MAY_IMPORT, ...entries]]))
}

const API_MAY_IMPORT = [
  'shared/collections',
  'shared/access',
  'shared/audit',
  'shared/ownership',
  'shared/http',
  'shared/notices',
  'shared/channels',
  'shared/posting',
  'shared/calls',
  'shared/service-start',
  'shared/jobs',
  ...STORES,
]

/** The rooms of the api, lowest first, and those that each may import; `app.ts` and `main.ts` import all. */
const ROOMS_OF_API: AllowedImports = {
  middleware: [],
  pages: ['middleware'],
  'api-document': ['pages', 'middleware'],
  search: ['middleware'],
  calls: ['middleware'],
  channels: ['calls', 'middleware'],
  files: ['search', 'middleware'],
  messages: ['channels', 'files', 'search', 'middleware'],
  account: ['channels', 'calls', 'files', 'pages', 'middleware'],
  people: ['account', 'channels', 'calls', 'middleware'],
  bots: ['people', 'account', 'channels', 'middleware'],
  hooks: ['bots', 'people', 'account', 'channels', 'middleware'],
  'hooks-out': ['hooks', 'people', 'middleware'],
  administration: ['files', 'middleware'],
  'slack-api': ['messages', 'channels', 'files', 'commands', 'middleware'],
  mcp: ['slack-api', 'messages', 'channels', 'search', 'middleware'],
}

function roomsOfApi(): AllowedImports {
  const rooms = Object.entries(ROOMS_OF_API).map(([room, others]) => [
    `services/api/${room}`,
    [...API_MAY_IMPORT, ...others.map(other => `services/api/${other}`)],
  ])
  return { 'services/api': API_MAY_IMPORT, ...Object.fromEntries(rooms) }
}

const ALLOWED_IMPORTS: AllowedImports = {
  'shared/domain': [],
  'shared/runtime': ['shared/domain'],
  'shared/stores': GROUND,
  'shared/notices': STORES,
  'shared/channels': STORES,
  'shared/calls': ['shared/channels', 'shared/notices', ...STORES],
  'shared/service-start': ['shared/calls', 'shared/notices', ...STORES],
  'shared/access': STORES,
  // Posts as a person, for api and janitor: no requests, uploads or rate limits.
  'shared/posting': ['shared/access', 'shared/channels', 'shared/notices', ...STORES],
  'shared/audit': STORES,
  'shared/ownership': ['shared/access', 'shared/audit', ...STORES],
  'shared/backup': STORES,
  // Not notices: a read model does not know who reads it, or why.
  'shared/collections': ['shared/access', ...STORES],
  'shared/http': STORES,
  'shared/jobs': ['shared/stores/redis.ts', 'shared/stores/keys.ts', 'shared/stores/scripts.ts', ...GROUND],
  'shared/test-kit': ['shared', 'infra/run', 'infra/processes', 'infra/dev-stores', 'infra/test-runner'],

  ...roomsOfApi(),
  'services/events': [
    'shared/collections',
    'shared/access',
    'shared/http',
    // The log and the table only: a gateway writes no notices.
    'shared/notices/invalidations.ts',
    'shared/notices/notice-log.ts',
    'shared/notices/notice.ts',
    ...STORES,
  ],
  'services/janitor': [
    'shared/backup',
    'shared/access',
    'shared/posting',
    'shared/audit',
    'shared/ownership',
    'shared/notices',
    'shared/channels',
    'shared/calls',
    'shared/service-start',
    'shared/jobs',
    ...STORES,
  ],
  // Connects to addresses chosen by users: may import neither the pool nor the file store.
  'services/previews/cards': [
    'shared/jobs',
    'shared/stores/redis.ts',
    'shared/stores/keys.ts',
    'shared/stores/scripts.ts',
    ...GROUND,
  ],
  'services/previews/pictures': [
    'shared/jobs',
    'shared/stores/redis.ts',
    'shared/stores/keys.ts',
    'shared/stores/files.ts',
    ...GROUND,
  ],
  'services/stun': GROUND,

  // The layers of the client, lowest first: ui < i18n < store < net < common < features < app.
  'web/src/ui': ['shared/domain/units.ts'],
  'web/src/i18n': ['shared/domain', 'web/src/ui'],
  'web/src/store': ['shared/domain', 'web/src/ui/after-paint.ts', 'web/src/i18n'],
  // Reports to the user through the store: imports neither texts nor toasts.
  'web/src/net': [
    'shared/domain',
    'web/src/ui/after-paint.ts',
    'web/src/ui/layers.ts',
    'web/src/ui/next-frame.ts',
    'web/src/ui/part.ts',
    'web/src/store',
  ],
  'web/src/common': COMMON_MAY_IMPORT,
  ...features(),
  'web/src/app': [...FEATURES_MAY_IMPORT, 'web/src/features', 'web/src/styles'],
  // The client in real browsers, with real processes.
  // A test presses every key of the shortcut table.
  'web/test': [
    'infra/run',
    'infra/processes',
    'shared/ownership/claim-codes.ts',
    'shared/test-kit',
    'shared/domain',
    'web/src/common/shortcuts.ts',
  ],
  web: ['shared/domain'],
  infra: STORES,
  // Api functions that an operator runs by hand.
  'infra/tools': [
    'services/api/administration',
    'services/api/channels/info',
    'services/api/account/invites',
    'services/api/account/tokens',
    'services/api/hooks',
    'services/api/hooks-out',
    'services/api/middleware/fields.ts',
    'services/api/middleware/read-fields.ts',
    'services/api/people',
    'services/api/channels/public',
    'services/api/administration/workspace',
    'shared/backup',
    'shared/access',
    'shared/audit',
    'shared/ownership',
    ...STORES,
  ],
  // Not part of the product: it starts and breaks it.
  'infra/drill.ts': ['infra/processes', 'infra/dev-stores', 'shared/test-kit', ...STORES],
  // A test walks the routes of the api.
  'infra/system-tests': [
    'infra/release',
    'services/api/endpoints.ts',
    'infra/processes',
    'infra/dev-stores',
    ...STORES,
  ],
  'infra/processes': STORES,
  'infra/dev-stores': ['infra/processes', ...STORES],
  'infra/run': ['infra/dev-stores', 'infra/processes', 'shared/ownership', ...STORES],
  'infra/release': ['infra/run', ...STORES],
  'infra/test-runner': ['infra/run', 'infra/dev-stores', 'infra/processes', ...STORES],
  // The pictures of the README start the whole stack with a browser.
  'infra/pictures': ['infra/run', 'shared/test-kit', ...STORES],
  'infra/bench': [
    'infra/run',
    'infra/processes',
    'infra/dev-stores',
    'infra/test-runner',
    'shared/test-kit',
    'shared/backup',
    'shared/collections',
    'shared/http',
    'shared/notices',
    'shared/posting',
    // The SQL statements, as a reference beside the whole request, and for EXPLAIN.
    'services/api/search',
    'shared/access',
    ...STORES,
  ],
}

/** Tests may also import these. They use other services only by starting them. */
const FOR_TESTS = ['shared/test-kit']
/** Tests of the whole system also use the code that starts it. */
const FOR_TESTS_OF_INFRA = [
  'infra/run',
  'infra/processes',
  'infra/dev-stores',
  'infra/test-runner',
  'shared/domain',
  ...FOR_TESTS,
]

type Tree = Record<string, string>

/** Returns forbidden imports, a sentence each. */
function forbiddenImports(tree: Tree, allowed: AllowedImports): string[] {
  return Object.entries(tree).flatMap(([file, source]) =>
    targetsOf(file, source)
      .filter(target => !mayImport(file, target, allowed))
      .map(target => `${file} must not import ${target}`),
  )
}

const targetsOf = (file: string, source: string) => importsOf(file, source).map(({ target }) => target)

function mayImport(file: string, target: string, allowed: AllowedImports): boolean {
  const room = roomOf(file, allowed)
  if (room === undefined) return false
  const isTest = /\.(?:test|fixture)\.tsx?$/.test(file)
  const isInside = roomOf(target, allowed) === room || isWithin(target, room)
  if (isForeignQuery(file, target)) return false
  if (isInside) return true
  const tests = room.startsWith('infra') ? FOR_TESTS_OF_INFRA : FOR_TESTS
  const open = isTest ? [...(allowed[room] ?? []), ...tests] : (allowed[room] ?? [])
  return open.some(folder => isWithin(target, folder))
}

/** The innermost room of a file. */
function roomOf(file: string, allowed: AllowedImports): string | undefined {
  return Object.keys(allowed)
    .filter(room => isWithin(file, room))
    .sort((a, b) => b.length - a.length)[0]
}

const isWithin = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

/** Queries belong to their folder of the api and its subfolders: others use its functions. */
function isForeignQuery(file: string, target: string) {
  if (!isWithin(file, 'services/api') || !isWithin(target, 'services/api')) return false
  return target.endsWith('/queries.ts') && !isWithin(file, dirname(target))
}

type Graph = Map<string, Set<string>>

/** Imports among files, type-only ones included. */
function filesOf(tree: Tree): Graph {
  return new Map(Object.entries(tree).map(([file, source]) => [file, new Set(targetsOf(file, source))]))
}

/** Imports among folders, without those of tests and those between a folder and its subfolders. */
function foldersOf(tree: Tree): Graph {
  const folders: Graph = new Map()
  for (const [file, source] of Object.entries(tree)) {
    if (/\.test\.tsx?$/.test(file)) continue
    const folder = dirname(file)
    const others = targetsOf(file, source)
      .map(dirname)
      .filter(other => !isWithin(folder, other) && !isWithin(other, folder))
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]))
  }
  return folders
}

/** Returns a cycle, with its first node again at the end; undefined without any. */
function cycleIn(graph: Graph): string[] | undefined {
  const done = new Set<string>()
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of graph.keys()) {
    const cycle = visit(node, [])
    if (cycle) return cycle
  }
  return undefined
}

function repository(): Tree {
  const files = globSync('{shared,services,web,infra}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: path => /(^|\/)(node_modules|dist)$/.test(path),
  })
  return Object.fromEntries(files.map(file => [file, readFileSync(join(ROOT, file), 'utf8')]))
}

describe('the rooms', () => {
  it('import only the rooms that the table allows', () => {
    const tree = repository()
    expect(tree).to.have.property('shared/runtime/config.ts')
    expect(forbiddenImports(tree, ALLOWED_IMPORTS)).to.deep.equal([])
  })

  it('have no cycle of imports among files, nor among folders', () => {
    const tree = repository()
    expect(cycleIn(filesOf(tree))).to.equal(undefined)
    expect(cycleIn(foldersOf(tree))).to.equal(undefined)
  })

  describe('have a check by which', () => {
    const found = (file: string, path: string) =>
      forbiddenImports({ [file]: `import { it } from '${path}'` }, ALLOWED_IMPORTS)
    const forbidden = (file: string, path: string) =>
      expect(found(file, path), `${file} → ${path}`).to.have.length(1)
    const permitted = (file: string, path: string) =>
      expect(found(file, path), `${file} → ${path}`).to.have.length(0)

    it('a service imports no other service, and shared code no service', () => {
      forbidden('services/events/main.ts', '../api/app.ts')
      forbidden('services/events/main.test.ts', '../api/app.ts')
      forbidden('shared/collections/dms.ts', '../../services/api/channels/queries.ts')
      permitted('services/api/main.ts', './app.ts')
    })

    it('finds a cycle of files and of folders, also of type-only imports', () => {
      const tree = {
        'a/one.ts': `import { two } from '../b/two.ts'`,
        'a/three.ts': '',
        'b/two.ts': `import type { Three } from '../a/three.ts'`,
      }
      expect(cycleIn(filesOf(tree))).to.equal(undefined)
      expect(cycleIn(foldersOf(tree))).to.deep.equal(['a', 'b', 'a'])
      const closed = { ...tree, 'a/three.ts': `import type { One } from './one.ts'` }
      expect(cycleIn(filesOf(closed))).to.deep.equal(['a/one.ts', 'b/two.ts', 'a/three.ts', 'a/one.ts'])
    })

    it('a layer of the client imports only lower layers', () => {
      forbidden('web/src/ui/Toast.tsx', '../i18n/i18n.ts')
      forbidden('web/src/store/channels/names.ts', '../../net/requests/endpoints.ts')
      forbidden('web/src/net/outbox/outbox.ts', '../../ui/feedback.ts')
      forbidden('web/src/net/outbox/outbox.ts', '../../i18n/i18n.ts')
      forbidden('web/src/common/Avatar.tsx', '../features/people/open-profile.ts')
      forbidden('web/src/features/people/ProfileCard.tsx', '../../app/start.ts')
      permitted('web/src/net/outbox/outbox.ts', '../../store/reports.ts')
      permitted('web/src/app/app.tsx', '../features/calls/CallHost.tsx')
    })

    it('a feature imports only the entry of another', () => {
      forbidden('web/src/features/people/ProfileCard.tsx', '../calls/start-call.ts')
      permitted('web/src/features/people/ProfileCard.tsx', '../calls/open-calls.ts')
    })

    it('the client imports only the rules', () => {
      forbidden('web/src/store/store.ts', '#shared/collections/dms.ts')
      forbidden('web/src/store/store.ts', '../../../shared/runtime/config.ts')
      permitted('web/src/store/store.ts', '#shared/domain/payloads/channels.ts')
    })

    it('a layer imports only lower layers', () => {
      forbidden('shared/domain/mentions.ts', '#shared/runtime/clock.ts')
      forbidden('shared/collections/messages.ts', '#shared/notices/write.ts')
      permitted('shared/collections/messages.ts', '#shared/access/readers.ts')
    })

    it('the programs of previews import Redis but not the database, nor each other', () => {
      forbidden('services/previews/cards/main.ts', '#shared/stores/postgres.ts')
      forbidden('services/previews/cards/main.ts', '#shared/stores/stores.ts')
      forbidden('services/previews/cards/main.ts', '#shared/stores/files.ts')
      permitted('services/previews/cards/main.ts', '#shared/stores/redis.ts')
      forbidden('services/previews/pictures/main.ts', '../cards/guarded-fetch.ts')
      forbidden('services/previews/pictures/main.ts', '#shared/stores/postgres.ts')
    })

    it('a gateway reads notices but writes none', () => {
      forbidden('services/events/notice-feed.ts', '#shared/notices/write.ts')
      permitted('services/events/notice-feed.ts', '#shared/notices/notice-log.ts')
    })

    it('a room of the api imports only the rooms of its line', () => {
      forbidden('services/api/middleware/paging.ts', '../account/queries.ts')
      forbidden('services/api/channels/typing.ts', '../people/presence/tabs.ts')
      forbidden('services/api/calls/join.ts', '../app.ts')
      permitted('services/api/people/presence/routes.ts', '../../channels/typing.ts')
    })

    it('a folder of the api imports functions of another, not its queries', () => {
      forbidden('services/api/account/sign-up/sign-up.ts', '../../channels/queries.ts')
      forbidden('services/api/account/sign-up/sign-up.ts', '../invites/queries.ts')
      permitted('services/api/account/sign-up/sign-up.ts', '../../channels/typing.ts')
      permitted('services/api/account/sign-up/sign-up.ts', '../queries.ts')
      permitted('services/api/account/sign-up/sign-up.ts', './queries.ts')
    })

    it('only tests import the test kit', () => {
      forbidden('services/api/app.ts', '#shared/test-kit/world.ts')
      permitted('services/api/app.test.ts', '#shared/test-kit/world.ts')
    })

    it('all forms of import are found, and files outside of rooms are refused', () => {
      const forms = [
        `export { it } from '#shared/runtime/log.ts'`,
        `const it = await import('#shared/runtime/log.ts')`,
        `import '#shared/runtime/log.ts'`,
        `import type { It } from "#shared/runtime/log.ts"`,
        `import {\n  it,\n} from '#shared/runtime/log.ts'`,
      ]
      for (const form of forms)
        expect(forbiddenImports({ 'shared/domain/a.ts': form }, ALLOWED_IMPORTS), form).to.have.length(1)
      forbidden('elsewhere/a.ts', './b.ts')
    })
  })
})
