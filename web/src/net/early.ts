/** Data in the page itself, and the responses to the requests that `early.js` sent while the bundle was loading. */
import type { FirstListsPayload } from '#shared/domain/payloads.ts'

interface Early {
  response: Promise<Response>
  /** The whole body has arrived: only parsing is left. */
  isHere: boolean
}

declare global {
  var bothyEarly: Map<string, Early> | undefined
}

/** Each response can be taken once, and only until the first channel is opened: later it would be stale. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const early = globalThis.bothyEarly?.get(path)
  globalThis.bothyEarly?.delete(path)
  return early?.response
}

export const isHereEarly = (path: string) => globalThis.bothyEarly?.get(path)?.isHere ?? false

/** True if `early.js` has requested the rows of the first screen. */
export const isAskedEarly = () => (globalThis.bothyEarly?.size ?? 0) > 0

export function forgetEarly() {
  globalThis.bothyEarly = undefined
}

/** Undefined if the server could not collect the lists in time, and in the kept page, which has none. */
export function listsInPage(): FirstListsPayload | undefined {
  const block = document.getElementById('lists')
  block?.remove()
  return block ? (JSON.parse(block.textContent) as FirstListsPayload) : undefined
}
