import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '#shared/runtime/is-alive.ts'

/** Whether a process is alive and uses a folder, by its command line or its working folder. */
export function worksIn(folder: string, pid: number): boolean {
  if (!isAlive(pid)) return false
  try {
    if (!existsSync('/proc/self/cmdline')) {
      return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(folder)
    }
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) ||
      readlinkSync(`/proc/${pid}/cwd`) === folder
    )
  } catch {
    return false
  }
}

/** Stops the process that a crashed run left behind: the one of a pid file, if it still is the one that wrote it. */
export async function stopLeftover(pidFile: string, folder: string, signal: NodeJS.Signals): Promise<void> {
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0
  const isLeft = () => pid > 1 && worksIn(folder, pid)
  for (const [asked, patience] of [
    [signal, 10_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!isLeft()) break
    process.kill(pid, asked)
    for (const end = Date.now() + patience; isLeft() && Date.now() < end; ) await pause(50)
  }
  // After a crash the pid may belong to another process, which the store would take for itself.
  rmSync(pidFile, { force: true })
}
