import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { runToEnd } from '../processes/children.ts'
import { classProblems } from './class-names.ts'
import { proseBelow } from './prose.ts'

const module = (path: string) => join(ROOT, 'node_modules', path)

const CHECKS = [
  {
    name: 'lint and format',
    script: module('@biomejs/biome/bin/biome'),
    args: ['check', '--diagnostic-level=warn', '.'],
  },
  { name: 'types of the server', script: module('typescript/bin/tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'types of the client', script: module('typescript/bin/tsc'), args: ['-p', 'web/tsconfig.json'] },
]

/** Sentences that are named when there are too many. */
const SHOWN = 20

/** Runs lint, format and types, compares class names with the style sheets, and counts hard sentences. Prints a line for each; returns how many failed. */
export async function runChecks(say: (line: string) => void): Promise<number> {
  let failed = 0
  for (const { name, script, args } of CHECKS) {
    if (args[1]?.endsWith('.json') && !existsSync(join(ROOT, args[1]))) continue
    const { ok, output } = await runToEnd(process.execPath, [script, ...args], { cwd: ROOT })
    say(ok ? `  ✔ ${name}` : `  ✘ ${name}\n${output.trimEnd()}`)
    if (!ok) failed++
  }
  if (!checkClasses(say)) failed++
  if (!checkProse(say)) failed++
  return failed
}

function checkClasses(say: (line: string) => void): boolean {
  const problems = classProblems(ROOT)
  say(`  ${problems.length === 0 ? '✔' : '✘'} class names have rules and uses`)
  for (const problem of problems) say(`    ${problem}`)
  return problems.length === 0
}

function checkProse(say: (line: string) => void): boolean {
  const places = proseBelow(ROOT)
  const isClear = places.length === 0
  say(isClear ? '  ✔ prose' : `  ✘ prose: ${places.length} sentences that are hard to read`)
  for (const { path, line, text } of places.slice(0, SHOWN)) say(`    ${path}:${line}: ${text}`)
  return isClear
}
