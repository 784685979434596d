import { Buffer } from 'node:buffer'
import type { Request, Response } from 'express'
import * as v from 'valibot'
import { idFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'

const LARGEST_PAGE = 200

/** `limit` of a list: 1 to 200, by default 50 (interface 10). */
export function pageLimit({ limit }: Request['query']): number {
  if (limit === undefined) return 50
  const number = idFrom(limit)
  if (number === undefined || number > LARGEST_PAGE)
    throw errors.invalid(`limit must be a number from 1 to ${LARGEST_PAGE}`)
  return number
}

/** The place after the last item of the previous page; undefined for the first page. */
export function pageCursor<Schema extends v.GenericSchema>(
  { cursor }: Request['query'],
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  if (cursor === undefined) return undefined
  const parsed = typeof cursor === 'string' ? v.safeParse(schema, placeIn(cursor)) : undefined
  if (!parsed?.success || ![parsed.output].flat().every(isStorable))
    throw errors.invalid('cursor must be that of a page')
  return parsed.output
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const isStorable = (value: unknown) =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))

export const cursorText = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** The cursor of the next page of a list that is a plain array. */
export function tellNext(res: Response, place: unknown): void {
  res.set('X-Next-Cursor', cursorText(place))
}

function placeIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch (err) {
    if (err instanceof SyntaxError) return undefined
    throw err
  }
}

/** Text of a query, at most 200 characters; undefined if empty. */
export function wordsIn(field: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || value.includes('\0')) throw errors.invalid(`${field} must be text`)
  if (value.length > 200) throw errors.tooLong(field, 200)
  return value.toWellFormed()
}

/** A word of `words`; undefined if the query lacks it. */
export function wordIn<T extends string>(field: string, words: readonly T[], value: unknown): T | undefined {
  if (value === undefined) return undefined
  const word = words.find(known => known === value)
  if (word === undefined) throw errors.invalid(`${field} must be ${words.join(' or ')}`)
  return word
}
