import { readdirSync, readFileSync } from 'node:fs'

/**
 * Stops a server and its children wherever they are, as a host that hangs: connections stay open and nothing answers. For
 * tests, on Linux. Returns the function that lets them go on.
 */
export function silence(pid: number): () => void {
  // The server first: it starts no further children.
  const stopped = [pid]
  send(pid, 'SIGSTOP')
  for (const child of childrenOf(pid)) {
    stopped.push(child)
    send(child, 'SIGSTOP')
  }
  return () => {
    for (const one of stopped.splice(0)) send(one, 'SIGCONT')
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(other => parentOf(other) === pid)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1])
  } catch {
    // Ended meanwhile.
  }
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err
  }
}
