import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Scan } from './conditions.ts'
import type { Position } from './queries.ts'

/** The end of a page, and the count of the first one. */
export interface Cursor {
  sort: Scan['sort']
  /** The query, by `markOf`: a page of another query would lack rows and tell a wrong number. */
  of: string
  at: Position
  total: number
  totalIs: 'exact' | 'more'
}

const FIELDS = v.tuple([
  v.picklist(['newest', 'oldest']),
  v.pipe(v.number(), v.finite()),
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.picklist(['exact', 'more']),
  v.string(),
])

/** Days depend on the time zone. */
export const markOf = (q: string, timeZone: string): string =>
  createHash('sha256')
    .update(JSON.stringify([q, timeZone]))
    .digest('base64url')
    .slice(0, 12)

export function cursorText({ sort, of, at, total, totalIs }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, at.ts, at.id, total, totalIs, of])).toString('base64url')
}

/** Undefined for text that is no cursor. */
export function cursorFrom(text: string): Cursor | undefined {
  const parsed = v.safeParse(FIELDS, jsonFrom(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success) return undefined
  const [sort, ts, id, total, totalIs, of] = parsed.output
  return { sort, of, at: { ts, id }, total, totalIs }
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
