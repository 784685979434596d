import { isName } from '#shared/domain/one-line.ts'
import { isTimeZone } from '#shared/domain/search-dates.ts'
import { LONGEST_DISPLAY_NAME } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'

/** Undefined: not given; null: removed. */
export interface ProfileChange {
  display_name?: string | null
  title?: string | null
  timezone?: string | null
}

/** The fields of PATCH /me; throws a 400 for the first invalid one. */
export function profileIn(body: unknown): ProfileChange {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw errors.invalid('the body must be an object')
  const { display_name, title, timezone } = body as Record<string, unknown>
  return {
    ...(display_name === undefined ? {} : { display_name: lineIn('display_name', display_name) }),
    ...(title === undefined ? {} : { title: lineIn('title', title) }),
    ...(timezone === undefined ? {} : { timezone: timezoneIn(timezone) }),
  }
}

/** An optional text of one line; null for an empty one. */
export function lineIn(field: string, value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw errors.missing(field)
  const text = value.normalize('NFC').trim()
  if (text === '') return null
  if (text.length > LONGEST_DISPLAY_NAME) throw errors.tooLong(field, LONGEST_DISPLAY_NAME)
  if (!isName(text)) throw errors.invalid(`${field} must be one line without control characters`)
  return text
}

function timezoneIn(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw errors.missing('timezone')
  // Offsets such as +01:00 are no names.
  if (!/^[A-Za-z]/.test(value) || !isTimeZone(value))
    throw errors.invalid('timezone must be an IANA name such as Europe/Berlin')
  return value
}
