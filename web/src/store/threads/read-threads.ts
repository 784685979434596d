import { signal } from '@preact/signals'

/** Threads remembered at most. */
const MOST_THREADS = 500

/** Threads that were read in this tab, by root: the id of the last reply. The marker of their channel may lie before it. */
export const readThreads = signal<ReadonlyMap<number, number>>(new Map())

export function noteThreadRead(root: number, upTo: number) {
  const before = readThreads.peek()
  if (upTo <= (before.get(root) ?? 0)) return
  const others = [...before].filter(([id]) => id !== root).slice(1 - MOST_THREADS)
  readThreads.value = new Map([...others, [root, upTo]])
}
