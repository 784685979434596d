import * as v from 'valibot'
import { errors } from '#shared/runtime/http-errors.ts'

/** The fields of a query or body. Throws a 400 with the message of the schema for the first invalid one. */
export function readFields(schema: v.GenericSchema, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const parsed = v.safeParse(schema, isObject ? value : {}, { abortEarly: true })
  if (parsed.success) return parsed.output
  throw errors.badRequest(parsed.issues[0].message)
}
