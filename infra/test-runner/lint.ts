import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { runToEnd } from '../processes/children.ts'

/** Hashes of the files that Biome accepted, by path. */
type Accepted = Record<string, string>

const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
/** A change of one of these has every file checked again. */
const RULES = ['biome.json', 'package-lock.json']
/** Files whose content Biome reads. */
const LINTED = /\.(?:[cm]?[jt]sx?|json|css)$/

/**
 * Runs Biome on the files whose content differs from their last accepted state, which the file `cache` holds: Biome judges
 * each file by itself. Without git it reads all files.
 */
export async function lint(cache: string): Promise<{ ok: boolean; output: string }> {
  const files = contents()
  const accepted = acceptedIn(cache)
  const isStale = files === undefined || RULES.some(path => files[path] !== accepted[path])
  const changed = isStale ? ['.'] : Object.keys(files).filter(path => files[path] !== accepted[path])
  if (changed.length === 0) return { ok: true, output: '' }
  const options = ['--diagnostic-level=error', '--files-ignore-unknown=true', '--no-errors-on-unmatched']
  const result = await runToEnd(process.execPath, [BIOME, 'check', ...options, ...changed], { cwd: ROOT })
  if (result.ok && files) {
    mkdirSync(dirname(cache), { recursive: true })
    writeFileSync(cache, JSON.stringify(files))
  }
  return result
}

/** Hashes of all files that git does not ignore. Undefined without git. */
function contents(): Accepted | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) return undefined
  const paths = stdout.split('\n').filter(path => LINTED.test(path))
  return Object.fromEntries(paths.flatMap(path => hashed(path)))
}

/** Empty for a file that is deleted, but still in git's index. */
function hashed(path: string): [string, string][] {
  try {
    return [
      [
        path,
        createHash('sha256')
          .update(readFileSync(join(ROOT, path)))
          .digest('base64'),
      ],
    ]
  } catch {
    return []
  }
}

function acceptedIn(cache: string): Accepted {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'))
  } catch {
    return {}
  }
}
