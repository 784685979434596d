import * as v from 'valibot'
import { errors } from '#shared/runtime/http-errors.ts'

/** Well-formed text; undefined if missing or of another type. PostgreSQL stores no NUL. */
export const text = v.pipe(
  v.optional(v.unknown()),
  v.transform(value => (typeof value === 'string' ? value.toWellFormed() : undefined)),
  v.check(value => value === undefined || !value.includes('\0'), 'text must not contain NUL'),
)

/** Undefined if missing or of another type. */
export const flag = v.fallback(v.optional(v.boolean()), undefined)

/** A field that must be given; `message` is the body of the 400. */
export const given = <T>(isValid: (value: unknown) => boolean, message: string) =>
  v.pipe(v.optional(v.unknown(), null), v.custom<T>(isValid, message))

type Fields = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

/** Returns the fields of a body, which has none if it is not an object. Throws a 400 for the first invalid field. */
export function readBody<Schema extends Fields>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, typeof body === 'object' ? (body ?? {}) : {}, { abortEarly: true })
  if (!parsed.success) throw errors.badRequest(parsed.issues[0].message)
  return parsed.output
}
