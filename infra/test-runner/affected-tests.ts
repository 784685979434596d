import { dirname } from 'node:path'
import { type Graph, gitLines, reachWithQuotes } from './import-graph.ts'

/** A change of one of these concerns every test, after those that others concern more. */
const EVERYTHING = ['package-lock.json', 'tsconfig.json']
/** Tests that start the product or break its stores, and the code that they run without importing it. */
const RUN_BY: Record<string, readonly string[]> = {
  'infra/system-tests': ['infra/run', 'infra/processes', 'infra/dev-stores'],
  'infra/system-tests/faults': ['shared/stores', 'shared/notices', 'shared/runtime', 'shared/service-start'],
}
/** Steps from a test to code that it runs without importing it. */
const INDIRECT = 3
/** Words in names of tests that say nothing about their subject. */
const COMMON = new Set(['a', 'at', 'by', 'own', 'list', 'page', 'first', 'test', 'slow', 'faults', 'ts'])

/**
 * How closely the changed files concern a test: 0 if it changed itself, 1 for what it imports or what lies beside it, and
 * so on; infinite if they do not. Processes that a test starts are no imports: their code concerns the tests in its folder
 * and the folders above, and browser tests that are named after it.
 */
export function nearness(test: string, changed: readonly string[], graph: Graph): number {
  const steps = reachWithQuotes(test, graph)
  const near = changed.map(file =>
    Math.min(
      steps.get(file) ?? Number.POSITIVE_INFINITY,
      isBeside(test, file) ? 1 : Number.POSITIVE_INFINITY,
      isNamedAfter(test, file) || runs(test, file) ? INDIRECT : Number.POSITIVE_INFINITY,
      EVERYTHING.includes(file) ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY,
    ),
  )
  return Math.min(Number.POSITIVE_INFINITY, ...near)
}

/** The tests that the changed files concern, nearest first. Tests of equal nearness keep their order. */
export function affectedTests(tests: readonly string[], changed: readonly string[], graph: Graph): string[] {
  return byNearness(tests, changed, graph).flatMap(({ test, near }) => (Number.isFinite(near) ? [test] : []))
}

/** All tests, those first that the changed files concern, nearest first. */
export function nearestFirst(tests: readonly string[], changed: readonly string[], graph: Graph): string[] {
  return byNearness(tests, changed, graph).map(({ test }) => test)
}

/** Paths that differ between the commit and the working tree, new files included. */
export function changedSince(commit: string): string[] {
  return [
    ...gitLines('diff', '--name-only', commit, '--'),
    ...gitLines('ls-files', '-o', '--exclude-standard'),
  ]
}

/** Where the branch left main; on main itself, or without a main, the commit before the last. */
export function baseCommit(): string {
  const [head] = gitLines('rev-parse', 'HEAD')
  const bases = ['main', 'origin/main'].flatMap(branch => gitLines('merge-base', branch, 'HEAD'))
  return bases.find(base => base !== head) ?? 'HEAD~1'
}

function byNearness(tests: readonly string[], changed: readonly string[], graph: Graph) {
  // Infinity minus Infinity is no number.
  const rank = (near: number) => Math.min(near, Number.MAX_VALUE)
  return tests
    .map(test => ({ test, near: nearness(test, changed, graph) }))
    .toSorted((a, b) => rank(a.near) - rank(b.near))
}

const isBeside = (test: string, file: string) =>
  file.startsWith(`${dirname(test)}/`) && !file.endsWith('.test.ts')

const runs = (test: string, file: string) =>
  (RUN_BY[dirname(test)] ?? []).some(folder => file.startsWith(`${folder}/`))

/** For browser tests, which start the whole product: a word in common with the changed folder, or all of them with the file. */
function isNamedAfter(test: string, file: string): boolean {
  if (!test.startsWith('web/test/') || !/^(web\/src|services)\//.test(file)) return false
  const subject = wordsOf(test)
  const folder = wordsOf(dirname(file))
  const all = new Set([...folder, ...wordsOf(file)])
  return subject.some(word => folder.includes(word)) || subject.every(word => all.has(word))
}

/** The words of the last part of a path, in the singular. */
function wordsOf(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return words.filter(word => word !== '' && !COMMON.has(word)).map(word => word.replace(/s$/, ''))
}
