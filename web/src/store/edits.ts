/** Edit boxes of messages. Unsaved text is kept by message in this tab, also over a reload. */
import { signal } from '@preact/signals'
import type { Channel } from './channels.ts'
import { viewer } from './store.ts'

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
  attempt(() => sessionStorage.removeItem(PREFIX + id))
}

const PREFIX = `bothy edit ${viewer} `

const texts = new Map<number, string>(readAll())

export const unsavedEdit = (id: number): string | undefined => texts.get(id)

export function keepEdit(id: number, text: string) {
  texts.set(id, text)
  attempt(() => sessionStorage.setItem(PREFIX + id, text))
}

function readAll(): [number, string][] {
  const found: [number, string][] = []
  attempt(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX))
        found.push([Number(key.slice(PREFIX.length)), sessionStorage.getItem(key) ?? ''])
  })
  return found
}

/** Storage may be full or denied; then the text lives as long as the page. */
function attempt(what: () => void) {
  try {
    what()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
