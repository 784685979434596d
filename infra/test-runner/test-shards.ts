import { spawnSync } from 'node:child_process'
import { ROOT } from '#shared/runtime/config.ts'
import { type Graph, reachOf } from './import-graph.ts'

/** Files that a test reaches by its imports, and what it needs therefore. */
const OPENS_BROWSER = ['shared/test-kit/browser.ts']
const OPENS_STORES = ['shared/test-kit/stores.ts', 'shared/test-kit/processes.ts']
const STARTS_PROCESSES = ['infra/processes/children.ts', 'infra/run/terminal.ts']

/** Groups of files, each for a mocha process of its own. */
export interface Shards {
  browsers: string[][]
  others: string[][]
  /** Whether a file needs PostgreSQL, Redis and the built client. */
  needsStores: boolean
}

/** Each file gets its own process, except those that start none, which share one. */
export function shardsOf(files: readonly string[], graph: Graph): Shards {
  const shards: Shards = { browsers: [], others: [], needsStores: false }
  const pure: string[] = []
  for (const file of files) {
    const reach = reachOf(file, graph)
    const reaches = (paths: readonly string[]) => paths.some(path => reach.has(path))
    if (reaches([...OPENS_BROWSER, ...OPENS_STORES])) shards.needsStores = true
    if (reaches(OPENS_BROWSER)) shards.browsers.push([file])
    else if (reaches([...OPENS_STORES, ...STARTS_PROCESSES])) shards.others.push([file])
    else pure.push(file)
  }
  if (pure.length > 0) shards.others.push(pure)
  return shards
}

/**
 * Runs two processes at a time, because tests mostly wait. Never two with browsers, which overload a machine with two
 * cores; when these are done, both run the others. Returns the results in the order in which the runs ended, and the
 * groups that were not begun because `isLate` became true.
 */
export async function runShards<T>(
  { browsers, others }: Pick<Shards, 'browsers' | 'others'>,
  run: (files: string[]) => Promise<T>,
  isLate = () => false,
): Promise<{ results: T[]; left: string[][] }> {
  const results: T[] = []
  const left = [...others]
  const leftBrowsers = [...browsers]
  async function work(groups: string[][]) {
    while (groups.length > 0 && !isLate()) results.push(await run(groups.shift()!))
  }
  await Promise.all([work(leftBrowsers).then(() => work(left)), work(left)])
  return { results, left: [...leftBrowsers, ...left] }
}

/** Sorts files by their last commit, newest first. Without history the order stays. */
export function newestFirst(files: readonly string[], cwd = ROOT): string[] {
  const { stdout } = spawnSync('git', ['log', '--format=', '--name-only', '--', ...files], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const changed = [...new Set((stdout ?? '').split('\n'))]
  const place = new Map(changed.map((file, i) => [file, i]))
  const placeOf = (file: string) => place.get(file) ?? Number.MAX_SAFE_INTEGER
  return files.toSorted((a, b) => placeOf(a) - placeOf(b))
}
