/** Cards that this person folded or hid, by message, on this device. The last few hundred are kept. */
import { signal } from '@preact/signals'
import { persisted } from '../device/persisted.ts'
import { viewer } from '../store.ts'

export type Way = 'folded' | 'hidden'

const entry = persisted(`bothy cards ${viewer}`)
const MOST = 400

const dismissed = signal<ReadonlySet<string>>(read())

export const isDismissed = (id: number, way: Way) => dismissed.value.has(nameOf(id, way))

export function setDismissed(id: number, way: Way, on: boolean) {
  // Another tab may have changed the set a moment ago.
  const next = new Set(read())
  next.delete(nameOf(id, way))
  if (on) next.add(nameOf(id, way))
  dismissed.value = new Set([...next].slice(-MOST))
  entry.write([...dismissed.peek()].join(' '))
}

entry.onChange(() => {
  dismissed.value = read()
})

const nameOf = (id: number, way: Way) => `${way[0]}${id}`

function read(): ReadonlySet<string> {
  return new Set((entry.read() ?? '').split(' ').filter(Boolean))
}
