/** Bytes of a result, whose JSON is in it twice: as an object, and as text for older clients. */
const MOST_BYTES = 32 * 1_024
/** For what is around both. */
const AROUND = 512
/** Bytes of one text in a result. */
const MOST_OF_TEXT = 12 * 1_024

/** A result of the first items, as many as fit; `isCut`: there are others. */
export function fitted<Item, Result extends object>(
  items: readonly Item[],
  make: (shown: Item[], isCut: boolean) => Result,
): Result {
  let left = MOST_BYTES - AROUND - bytesOf(make([], true))
  let count = 0
  for (const item of items) {
    // Commas.
    left -= bytesOf(item) + 2
    if (left < 0) break
    count++
  }
  return make(items.slice(0, count), count < items.length)
}

/** The text, of a long one the beginning; `text_is_cut` says so. */
export function shownText(text: string): { text: string; text_is_cut?: true } {
  if (bytesOf(text) <= MOST_OF_TEXT) return { text }
  // A character takes two bytes at least.
  let [fits, exceeds] = [0, Math.min(text.length, MOST_OF_TEXT / 2)]
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2)
    if (bytesOf(text.slice(0, middle)) <= MOST_OF_TEXT) fits = middle
    else exceeds = middle
  }
  const cut = text.slice(0, fits)
  return { text: cut.isWellFormed() ? cut : cut.slice(0, -1), text_is_cut: true }
}

/** In both places. */
function bytesOf(value: unknown): number {
  const json = JSON.stringify(value)
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))
}
