/** Edit boxes of messages. Unsaved text is kept by message in this tab, also over a reload. */
import { signal } from '@preact/signals'
import type { Channel } from '../channels/channels.ts'
import { persistedGroup } from '../device/persisted.ts'
import { viewer } from '../store.ts'

/** The message whose edit box takes the focus when it mounts. A box that mounts again leaves the focus alone. */
export const boxWanted = signal<number | undefined>(undefined)

export function openBox(channel: Channel, id: number) {
  channel.editing.value = id
  boxWanted.value = id
}

/** After cancel or save. */
export function closeBox(channel: Channel) {
  const id = channel.editing.peek()
  channel.editing.value = undefined
  if (id === undefined) return
  texts.delete(id)
  stored.remove(String(id))
}

const stored = persistedGroup(`bothy edit ${viewer} `, () => sessionStorage)

const texts = new Map([...stored.readAll()].map(([id, text]) => [Number(id), text]))

export const unsavedEdit = (id: number): string | undefined => texts.get(id)

export function keepEdit(id: number, text: string) {
  texts.set(id, text)
  stored.write(String(id), text)
}
