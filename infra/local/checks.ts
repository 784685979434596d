import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/kernel/config.ts'
import { runToEnd } from './children.ts'

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

/** Lint, format and types; a line for each, and the whole of what one has to say against it. Answers how many failed. */
export async function runChecks(say: (line: string) => void): Promise<number> {
  let failed = 0
  for (const { name, script, args } of CHECKS) {
    if (args[1]?.endsWith('.json') && !existsSync(join(ROOT, args[1]))) continue
    const { ok, output } = await runToEnd(process.execPath, [script, ...args], { cwd: ROOT })
    say(ok ? `  ✔ ${name}` : `  ✘ ${name}\n${output.trimEnd()}`)
    if (!ok) failed++
  }
  return failed
}
