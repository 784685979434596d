/** Colour and picture of each person. Without a choice both are derived from the name. */
import { signal } from '@preact/signals'
import type { Username } from '#shared/domain/units.ts'

/** `#rrggbb` by name. */
export const nameColors = signal<ReadonlyMap<Username, string>>(new Map())
/** People with a picture. */
export const pictured = signal<ReadonlySet<Username>>(new Set())
/** Object URLs of the loaded pictures. */
export const pictures = signal<ReadonlyMap<Username, string>>(new Map())

/** Cached names, wanted before a listener exists. */
const early = new Set<Username>()
let ask: (name: Username) => void = name => early.add(name)

/** The listener loads pictures that are on the screen and missing: components make no requests. */
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
