import { Buffer } from 'node:buffer'
import * as v from 'valibot'
import type { Scan } from './conditions.ts'
import type { Position } from './queries.ts'

/** The end of a page, and the count of the first one. */
export interface Cursor {
  sort: Scan['sort']
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
])

export function cursorText({ sort, at, total, totalIs }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, at.ts, at.id, total, totalIs])).toString('base64url')
}

/** Undefined for text that is no cursor. */
export function cursorFrom(text: string): Cursor | undefined {
  const parsed = v.safeParse(FIELDS, jsonFrom(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success) return undefined
  const [sort, ts, id, total, totalIs] = parsed.output
  return { sort, at: { ts, id }, total, totalIs }
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
