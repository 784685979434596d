/** Whether a process of this machine runs, also one of another account. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM'
  }
}
