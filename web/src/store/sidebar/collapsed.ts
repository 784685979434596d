/** The collapsed places of the sidebar, kept on this device; those of own sections are kept on the server. */
import { signal } from '@preact/signals'
import { persisted } from '../device/persisted.ts'
import { viewer } from '../store.ts'

const entry = persisted(`bothy folded ${viewer}`)

export const collapsed = signal<ReadonlySet<string>>(new Set((entry.read() ?? '').split(' ')))

export function toggleCollapsed(place: string) {
  const next = new Set(collapsed.peek())
  if (!next.delete(place)) next.add(place)
  collapsed.value = next
  entry.write([...next].join(' '))
}
