import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** The environment of a process whose garbage can be collected. */
export function inspectedAt(port: number) {
  return { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` }
}

/** Resident memory of a process after collecting garbage, bytes. */
export async function residentBytes(pid: number, inspector: number): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspector}/json`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise(resolve => socket.addEventListener('open', resolve))
  for (let id = 1; id <= 3; id++) {
    const answered = new Promise(resolve => socket.addEventListener('message', resolve, { once: true }))
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await answered
    await pause(300)
  }
  socket.close()
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}
