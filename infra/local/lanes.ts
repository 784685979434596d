import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/kernel/config.ts'

/** What a test file needs, by what it imports. */
const NEEDS_BROWSER = /playwright-core|test-kit\/(browser|office)/
const NEEDS_STORES = /test-kit\/(processes|world|stores)|infra\/local/

/** Groups of files, each for a mocha process of its own. */
export interface Lanes {
  browsers: string[][]
  others: string[][]
}

/** One file a process. What needs nothing shares one. */
export function lanesOf(files: readonly string[]): Lanes {
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
 * Two processes at once: most tests wait for something most of the time. Never two with browsers, which leave a machine with two
 * cores no time for anything; when there are no more of these, both lanes do what is left. Answers what each run answered, in the
 * order in which they ended.
 */
export async function runLanes<T>(
  { browsers, others }: Lanes,
  run: (files: string[]) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  const left = [...others]
  async function work(groups: string[][]) {
    for (let files = groups.shift(); files; files = groups.shift()) results.push(await run(files))
  }
  await Promise.all([work([...browsers]).then(() => work(left)), work(left)])
  return results
}
