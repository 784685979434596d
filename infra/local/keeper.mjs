// Outlives the process that started it by a moment: told of every child (`+ pid signal`, `- pid`) and container
// (`+ container id`, `- container id`) on standard input, it ends those still there when that input closes without
// their having been stopped, which is when the parent was killed. So nothing stays behind, and the children need not
// know.

import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'

const GRACE = 10_000
const kept = new Map()
const containers = new Set()

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, pid, signal] = line.split(' ')
  if (pid === 'container') containers[verb === '+' ? 'add' : 'delete'](signal)
  else if (verb === '+') kept.set(Number(pid), signal)
  else kept.delete(Number(pid))
}

for (const [pid, signal] of kept) tell(pid, signal)
if (containers.size > 0) spawnSync('docker', ['rm', '--force', '--volumes', ...containers])
const end = Date.now() + GRACE
while (kept.size > 0 && Date.now() < end) {
  for (const pid of kept.keys()) if (!tell(pid, 0)) kept.delete(pid)
  await new Promise(wake => setTimeout(wake, 100))
}
// Each child leads a group of its own; what it started goes with it.
for (const pid of kept.keys()) tell(-pid, 'SIGKILL')

function tell(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
