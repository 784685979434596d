/** A test that failed. */
export interface Failure {
  title: string
  /** Message and stack, at most 2,000 characters. */
  reason: string
}

/** The result of one mocha process. */
export interface GroupResult {
  files: string[]
  passed: number
  failed: number
  skipped: number
  failures: Failure[]
  /** Ended before its last test, because the time of the run was up: the numbers say nothing. */
  isCut?: boolean
}

/** More failed groups than this are no accident, and repeating them takes too long. */
const MAX_REPEATED = 3

/**
 * Runs each failed group once more, one at a time, so that nothing else loads the machine. Returns the results that count,
 * and the failures that did not repeat. A group repeats only beside others: a failure of a single file is what its author
 * asked to see. A failure counts if there is no time left to repeat it.
 */
export async function repeatFailed(
  results: readonly GroupResult[],
  run: (files: string[]) => Promise<GroupResult>,
  isLate = () => false,
): Promise<{ results: GroupResult[]; unstable: Failure[] }> {
  const failed = results.filter(result => result.failed > 0)
  if (results.length === 1 || failed.length > MAX_REPEATED) return { results: [...results], unstable: [] }
  const counted = results.filter(result => result.failed === 0)
  const unstable: Failure[] = []
  for (const first of failed) {
    const second = isLate() ? undefined : await run(first.files)
    if (!second || second.isCut) {
      counted.push(first)
      continue
    }
    counted.push(second)
    const again = new Set(second.failures.map(({ title }) => title))
    unstable.push(...first.failures.filter(({ title }) => !again.has(title)))
  }
  return { results: counted, unstable }
}

/** The last lines of a run: failures and unstable tests with their reasons. Empty if there are none. */
export function reportOf(failures: readonly Failure[], unstable: readonly Failure[]): string[] {
  return [
    ...section('Failed', failures),
    ...section('Unstable: failed once, passed when run again', unstable),
  ]
}

function section(heading: string, failures: readonly Failure[]): string[] {
  if (failures.length === 0) return []
  const lines = failures.flatMap(({ title, reason }) => [
    `  ✘ ${title}`,
    ...reason.split('\n').map(line => `      ${line}`),
  ])
  return [`${heading} (${failures.length})`, ...lines]
}
