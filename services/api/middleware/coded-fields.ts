import type { Request } from 'express'
import { shownName } from '#shared/domain/channel-name.ts'
import { errors } from '#shared/runtime/http-errors.ts'

/*
 * Fields of the JSON bodies of extensions (interface 10): undefined if missing, null if emptied, else of the right
 * type. Errors have the codes `required`, `invalid` and `too_long`.
 */

export type Body = Record<string, unknown>

/** A body that is no object has no fields. */
export function bodyOf({ body }: Request): Body {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
}

/** Trimmed text; PostgreSQL stores neither NUL nor lone surrogates. */
export function textIn(body: Body, field: string, most?: number): string | null | undefined {
  const value = body[field]
  if (value === undefined || value === null) return value
  if (typeof value !== 'string') throw errors.missing(field)
  if (value.includes('\0') || !value.isWellFormed()) throw errors.invalid(`${field} must be valid text`)
  const text = value.trim()
  if (most !== undefined && text.length > most && [...text].length > most) throw errors.tooLong(field, most)
  return text === '' ? null : text
}

/** A single line of visible characters. */
export function lineIn(body: Body, field: string, most: number): string | null | undefined {
  const text = textIn(body, field)
  if (text === undefined || text === null) return text
  const line = shownName(text, most)
  if ('name' in line) return line.name
  if (line.problem === 'too_long') throw errors.tooLong(field, most)
  return null
}

export function flagIn(body: Body, field: string): boolean | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  if (typeof value !== 'boolean') throw errors.missing(field)
  return value
}

/** A word of `words`. */
export function choiceIn<T extends string>(body: Body, field: string, words: readonly T[]): T | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw errors.missing(field)
  const word = words.find(known => known === value)
  if (word === undefined) throw errors.invalid(`${field} must be ${words.join(' or ')}`)
  return word
}
