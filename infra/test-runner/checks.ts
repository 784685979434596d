import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { runToEnd } from '../processes/children.ts'
import { classProblems } from './class-names.ts'
import { lint } from './lint.ts'
import { proseBelow } from './prose.ts'

/** The result of one check. `output` is printed if it failed. */
interface Result {
  name: string
  ok: boolean
  output: string
}

const CACHE = join(ROOT, 'node_modules/.cache')
/** Tests of the repository itself, without stores. */
const TESTS = ['shared/test-kit/rooms.test.ts', 'infra/consistency-tests/*.test.ts']
/** Sentences that are named when there are too many. */
const SHOWN = 20

/**
 * Runs lint, format, types, class names, the prose gate and, if `withTests`, the tests of the repository itself, side by
 * side. Lint and types read only what changed since the last run. Prints a line for each check; returns how many failed.
 */
export async function runChecks(say: (line: string) => void, { withTests = true } = {}): Promise<number> {
  const programs = [
    lint(join(CACHE, 'linted.json')).then(named('lint and format')),
    types('tsconfig.json', 'server.tsbuildinfo').then(named('types of the server')),
    types('web/tsconfig.json', 'client.tsbuildinfo').then(named('types of the client')),
    ...(withTests ? [mocha(TESTS).then(named('rooms and consistency'))] : []),
  ]
  const results = [classNames(), prose(), ...(await Promise.all(programs))]
  for (const { name, ok, output } of results) say(ok ? `  ✔ ${name}` : `  ✘ ${name}\n${output.trimEnd()}`)
  return results.filter(({ ok }) => !ok).length
}

const named = (name: string) => (result: Omit<Result, 'name'>) => ({ name, ...result })

const runNode = (script: string, ...args: string[]) =>
  runToEnd(process.execPath, [join(ROOT, 'node_modules', script), ...args], { cwd: ROOT })

const types = (project: string, buildInfo: string) =>
  runNode('typescript/bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', join(CACHE, buildInfo))

const mocha = (files: string[]) => runNode('mocha/bin/mocha.js', '--reporter', 'dot', ...files)

function classNames(): Result {
  const problems = classProblems(ROOT)
  return { name: 'class names have rules and uses', ok: problems.length === 0, output: indented(problems) }
}

function prose(): Result {
  const places = proseBelow(ROOT)
  const shown = places.slice(0, SHOWN).map(({ path, line, text }) => `${path}:${line}: ${text}`)
  const name = places.length === 0 ? 'prose' : `prose: ${places.length} sentences that are hard to read`
  return { name, ok: places.length === 0, output: indented(shown) }
}

const indented = (lines: string[]) => lines.map(line => `    ${line}`).join('\n')
