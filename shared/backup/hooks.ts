import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Programs of the operator in `<folder of backups>/hooks`, run with the path of a backup as their argument. */
export type Hook = 'after-backup' | 'after-restore'

/** A copy to another place may take long; a hook that hangs is killed. */
const ENDS_WITHIN: Milliseconds = 6 * 3600 * 1000
/** Characters of its output in the fault, from its end. */
const SHOWN = 500

export class HookFailed extends Error {}

/** Returns false where there is no such hook. */
export async function runHook(
  folder: string,
  hook: Hook,
  backup: string,
  { signal, within = ENDS_WITHIN }: { signal?: AbortSignal | undefined; within?: Milliseconds } = {},
): Promise<boolean> {
  const program = join(folder, 'hooks', hook)
  try {
    await access(program, constants.X_OK)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw new HookFailed(`hooks/${hook} is not executable.`)
  }
  const ending = AbortSignal.any([AbortSignal.timeout(within), ...(signal ? [signal] : [])])
  const child = spawn(program, [backup], {
    cwd: folder,
    // Not the addresses and passwords of the stores.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: ending,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-SHOWN)
    })
  try {
    const [code, killed] = await once(child, 'close')
    if (code === 0) return true
    throw new HookFailed(`hooks/${hook} ended with ${code ?? killed}. ${output.trim()}`.trim())
  } catch (err) {
    if (err instanceof HookFailed) throw err
    const late = ending.aborted && !signal?.aborted
    throw new HookFailed(
      `hooks/${hook} ${late ? 'took too long' : `did not run: ${(err as Error).message}`}.`,
    )
  }
}
