import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'

/** The needs of a test file, by its imports. */
const NEEDS_BROWSER = /playwright-core|test-kit\/(browser|full-stack)/
const NEEDS_STORES = /test-kit\/(processes|world|stores)|infra\/(run|dev-stores)/

/** Groups of files, each for a mocha process of its own. */
export interface Shards {
  browsers: string[][]
  others: string[][]
}

/** Each file gets its own process, except those without browser and stores, which share one. */
export function shardsOf(files: readonly string[]): Shards {
  const browsers: string[][] = []
  const stores: string[][] = []
  const pure: string[] = []
  for (const file of files) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    if (NEEDS_BROWSER.test(source)) browsers.push([file])
    else if (NEEDS_STORES.test(source)) stores.push([file])
    else pure.push(file)
  }
  return { browsers, others: pure.length > 0 ? [...stores, pure] : stores }
}

/**
 * Runs two processes at a time, because tests mostly wait. Never two with browsers, which overload a machine with two
 * cores; when these are done, both run the others. Returns the results in the order in which the runs ended, and the
 * groups that were not begun because `isLate` became true.
 */
export async function runShards<T>(
  { browsers, others }: Shards,
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
