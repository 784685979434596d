import { spawnSync } from 'node:child_process'
import { ROOT } from '#shared/runtime/config.ts'

/** The commit of the clone; undefined without git or a repository. */
export function commitOfClone(): string | undefined {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : undefined
}
