/** The collapsed sections of the sidebar, kept on this device. */
import { signal } from '@preact/signals'
import { viewer } from './store.ts'

export type Section = 'channels' | 'private' | 'direct'

const KEY = `bothy folded ${viewer}`

export const folded = signal<ReadonlySet<string>>(new Set(read()))

export function toggleFolded(section: Section) {
  const next = new Set(folded.peek())
  if (!next.delete(section)) next.add(section)
  folded.value = next
  try {
    localStorage.setItem(KEY, [...next].join(' '))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

function read(): string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split(' ')
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return []
  }
}
