// Cleans up after its parent, however that ends. Standard input lists children (`+ pid signal`, `- pid`), containers
// (`+ container id`) and temporary folders (`+ folder path`); when it closes, the parent is gone, and the remaining
// ones are ended and removed.

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'

const GRACE = 10_000
const kept = new Map()
const things = { container: new Set(), folder: new Set() }

for await (const line of createInterface({ input: process.stdin })) {
  const [, verb, subject, detail] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? []
  if (subject in things) things[subject][verb === '+' ? 'add' : 'delete'](detail)
  else if (verb === '+') kept.set(Number(subject), detail)
  else kept.delete(Number(subject))
}

for (const [pid, signal] of kept) tell(pid, signal)
if (things.container.size > 0) spawnSync('docker', ['rm', '--force', '--volumes', ...things.container])
const end = Date.now() + GRACE
while (kept.size > 0 && Date.now() < end) {
  for (const pid of kept.keys()) if (!tell(pid, 0)) kept.delete(pid)
  await new Promise(wake => setTimeout(wake, 100))
}
// Each child leads a process group, which is killed as a whole.
for (const pid of kept.keys()) tell(-pid, 'SIGKILL')
for (const folder of things.folder) rmSync(folder, { recursive: true, force: true })

function tell(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
