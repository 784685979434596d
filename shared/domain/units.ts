/** Epoch seconds, as the interface counts time: a float with microseconds. */
export type Seconds = number
export type Milliseconds = number
export type Username = string
/** Text form of a channel: `general`, `dm:ada:bob`, `private:7`. */
export type ChannelId = string

/**
 * Parses the `after` of GET /messages and GET /events: empty, `nan` and other text that is no number count as 0
 * (interface 4.3, 6). Negative selects everything, infinity nothing.
 */
export function afterFrom(text: unknown): Seconds {
  if (typeof text !== 'string' || text.trim() === '') return 0
  const lower = text.trim().toLowerCase()
  if (/^[+]?inf(inity)?$/.test(lower)) return Infinity
  if (/^-inf(inity)?$/.test(lower)) return -Infinity
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(lower)) return 0
  return Number(lower)
}

/** Parses the id of a call or a share; undefined for invalid text, which callers treat as unknown. */
export function uuidFrom(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return undefined
  return text.toLowerCase()
}

const LARGEST_ID = 9_223_372_036_854_775_807n

/** Parses a row id from a path or form; undefined for invalid text, which callers treat as unknown. */
export function idFrom(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^[1-9]\d{0,18}$/.test(text)) return undefined
  if (BigInt(text) > LARGEST_ID) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}
