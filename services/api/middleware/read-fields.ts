import * as v from 'valibot'
import { errors, type HttpError } from '#shared/runtime/http-errors.ts'

/** The fields of a query or body; anything but an object has none. Throws a 400 for the first invalid one. */
export function readFields<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  { mustBeObject }: { mustBeObject?: string | undefined } = {},
): v.InferOutput<Schema> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (mustBeObject && !isObject) throw errors.invalid(`${mustBeObject} must be an object`)
  const parsed = v.safeParse(schema, isObject ? value : {}, { abortEarly: true })
  if (parsed.success) return parsed.output
  throw errorOf(parsed.issues[0])
}

/** Names that no field has are cut. */
const LONGEST_FIELD = 40

/** Messages: see fields.ts. */
function errorOf({ message, path }: v.BaseIssue<unknown>): HttpError {
  const field = path && String(path[0].key).slice(0, LONGEST_FIELD).toWellFormed()
  const sentence = field === undefined ? message : message.replace('$', () => field)
  const [, code, rest] = /^(required|invalid|too_long): (.*)$/s.exec(sentence) ?? []
  return code === undefined ? errors.badRequest(sentence) : errors.coded(400, code, rest!)
}
