import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { runToEnd } from '../processes/children.ts'
import { fail } from '../processes/fail.ts'

const BUILT = join(ROOT, 'web/dist/index.html')
/** The fingerprint of the sources, beside the build that it describes: every data folder shares that build. */
const STAMP = join(ROOT, 'web/dist/.sources')

/** Builds the client, unless its sources are unchanged since the last build. */
export async function buildClient(say: (line: string) => void): Promise<void> {
  const sources = fingerprint()
  if (existsSync(BUILT) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return
  say('Building the client …')
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const { ok, output } = await runToEnd(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn'], {
    cwd: ROOT,
  })
  if (!ok) fail(`The client could not be built:\n${output}`)
  writeFileSync(STAMP, sources)
}

/** A hash of all sources of the build. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const files = globSync(['web/**/*', 'shared/domain/**/*', 'package-lock.json'], {
    cwd: ROOT,
    exclude: path => path === 'web/dist' || path.endsWith('.test.ts'),
  })
  for (const file of files.sort()) {
    const path = join(ROOT, file)
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}
