/** What the page brought along, and what `early.js` asked for while the bundle was on its way. */
import type { FirstListsPayload } from '#shared/rules/payloads.ts'

interface Early {
  response: Promise<Response>
  /** All of it, so that nobody waits for anything but its reading. */
  isHere: boolean
}

declare global {
  var bothyEarly: Map<string, Early> | undefined
}

/** Once, and only until the first channel is opened: later an answer would be an old one. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const early = globalThis.bothyEarly?.get(path)
  globalThis.bothyEarly?.delete(path)
  return early?.response
}

export const isHereEarly = (path: string) => globalThis.bothyEarly?.get(path)?.isHere ?? false

/** Whether the rows of the first picture are here, or on their way. */
export const isAskedEarly = () => (globalThis.bothyEarly?.size ?? 0) > 0

export function forgetEarly() {
  globalThis.bothyEarly = undefined
}

/** Undefined where the server could not say in time, and in a page that was kept for moments without it. */
export function listsInPage(): FirstListsPayload | undefined {
  const block = document.getElementById('lists')
  block?.remove()
  return block ? (JSON.parse(block.textContent) as FirstListsPayload) : undefined
}
