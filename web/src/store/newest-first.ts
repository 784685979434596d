import { type ReadonlySignal, signal } from '@preact/signals'
import { viewer } from './store.ts'

/** A short list of strings on this device, most recent first, without duplicates. */
export function newestFirst(
  name: string,
  most: number,
): { list: ReadonlySignal<string[]>; note: (one: string) => void } {
  const key = `bothy ${name} ${viewer}`
  const list = signal(read(key))
  return {
    list,
    note(one) {
      if (list.peek()[0] === one) return
      list.value = [one, ...list.peek().filter(other => other !== one)].slice(0, most)
      try {
        localStorage.setItem(key, JSON.stringify(list.peek()))
      } catch (error) {
        if (!(error instanceof DOMException)) throw error
      }
    },
  }
}

function read(key: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(one => typeof one === 'string') : []
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error
    return []
  }
}
