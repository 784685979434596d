import { type ReadonlySignal, signal } from '@preact/signals'
import { viewer } from '../store.ts'
import { type Persisted, persisted } from './persisted.ts'
import { tolerate } from './tolerate.ts'

/** A short list of strings on this device, most recent first, without duplicates. */
export function newestFirst(
  name: string,
  most: number,
): { list: ReadonlySignal<string[]>; note: (one: string) => void } {
  const entry = persisted(`bothy ${name} ${viewer}`)
  const list = signal(readList(entry))
  return {
    list,
    note(one) {
      if (list.peek()[0] === one) return
      list.value = [one, ...list.peek().filter(other => other !== one)].slice(0, most)
      entry.write(JSON.stringify(list.peek()))
    },
  }
}

export function readList(entry: Persisted): string[] {
  try {
    const list: unknown = JSON.parse(entry.read() ?? '[]')
    return Array.isArray(list) ? list.filter(one => typeof one === 'string') : []
  } catch (error) {
    tolerate(error, SyntaxError)
    return []
  }
}
