/** The collapsed sections of the sidebar, kept on this device. */
import { signal } from '@preact/signals'
import { persisted } from './persisted.ts'
import { viewer } from './store.ts'

export type Section = 'channels' | 'private' | 'direct'

const entry = persisted(`bothy folded ${viewer}`)

export const collapsed = signal<ReadonlySet<string>>(new Set((entry.read() ?? '').split(' ')))

export function toggleCollapsed(section: Section) {
  const next = new Set(collapsed.peek())
  if (!next.delete(section)) next.add(section)
  collapsed.value = next
  entry.write([...next].join(' '))
}
