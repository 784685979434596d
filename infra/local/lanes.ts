import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/kernel/config.ts'

/**
 * Two mocha processes at a time: most tests wait for something most of the time. Not more of them, so that a test which
 * expects an answer within a second still gets it on a machine with two cores.
 */
const LANES = 2

/** What a test file needs, by what it imports: the longest begin first, so that none is left alone at the end. */
const COSTS = [
  /playwright-core|test-kit\/browser/,
  /test-kit\/(processes|world)/,
  /test-kit\/stores|infra\/local/,
]

/** One file for each process, but all those that need no process and no store together. */
export function groupsOf(files: readonly string[]): string[][] {
  const byCost = COSTS.map(() => [] as string[])
  const pure: string[] = []
  for (const file of files) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    const cost = COSTS.findIndex(pattern => pattern.test(source))
    ;(byCost[cost] ?? pure).push(file)
  }
  const single = byCost.flat().map(file => [file])
  return pure.length > 0 ? [...single, pure] : single
}

/** Runs each group once; answers what each run answered, in the order in which they ended. */
export async function runInLanes<T>(
  groups: readonly string[][],
  run: (files: string[]) => Promise<T>,
): Promise<T[]> {
  const waiting = [...groups]
  const results: T[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await run(next))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}
