import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import type { TestEnvironment } from './stores.ts'

/** Runs a command of the operator that asks. `type`: called once it asks, returns the answer. */
export function runAdmin(env: TestEnvironment, args: readonly string[], type: () => Promise<string>) {
  return new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, 'infra/tools/admin.ts'), ...args],
      { env: { ...process.env, ...env } },
      (_err, stdout, stderr) => resolve({ stdout, stderr }),
    )
    child.stderr!.once('data', () => type().then(typed => child.stdin!.end(`${typed}\n`), reject))
  })
}
