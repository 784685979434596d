/** How people look: the colour and the picture that each has chosen. Who has chosen none is drawn from the name alone. */
import { signal } from '@preact/signals'
import type { Username } from '#shared/rules/units.ts'

/** `#rrggbb` by name. */
export const nameColors = signal<ReadonlyMap<Username, string>>(new Map())
/** Everybody with a picture. */
export const pictured = signal<ReadonlySet<Username>>(new Set())
/** The pictures that are here, as addresses within this page. */
export const pictures = signal<ReadonlyMap<Username, string>>(new Map())

/** Of those that a device remembers, before anybody listens. */
const early = new Set<Username>()
let ask: (name: Username) => void = name => early.add(name)

/** Who is told of a picture that is on the screen and not here yet: components make no requests. */
export function onPictureWanted(listener: (name: Username) => void) {
  ask = listener
  for (const name of early) listener(name)
  early.clear()
}

export function pictureOf(name: Username): string | undefined {
  if (!pictured.value.has(name)) return undefined
  const picture = pictures.value.get(name)
  if (picture === undefined) ask(name)
  return picture
}
