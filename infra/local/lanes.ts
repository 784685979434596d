import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/kernel/config.ts'

/** What a test file needs, by what it imports. */
const NEEDS_BROWSER = /playwright-core|test-kit\/(browser|office)/
const NEEDS_STORES = /test-kit\/(processes|world|stores)|infra\/local/

/**
 * Two lanes of mocha processes, one file each: most tests wait for something most of the time. The browsers have a lane of their
 * own, because two of them at once leave a machine with two cores no time for anything. What needs nothing shares one process.
 */
export function lanesOf(files: readonly string[]): string[][][] {
  const browsers: string[][] = []
  const stores: string[][] = []
  const pure: string[] = []
  for (const file of files) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    if (NEEDS_BROWSER.test(source)) browsers.push([file])
    else if (NEEDS_STORES.test(source)) stores.push([file])
    else pure.push(file)
  }
  return [browsers, pure.length > 0 ? [...stores, pure] : stores]
}

/** Runs the groups of each lane one after the other; answers what each run answered, in the order in which they ended. */
export async function runLanes<T>(lanes: string[][][], run: (files: string[]) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  await Promise.all(
    lanes.map(async groups => {
      for (const files of groups) results.push(await run(files))
    }),
  )
  return results
}
