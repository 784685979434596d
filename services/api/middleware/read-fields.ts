import * as v from 'valibot'
import { errors, type HttpError } from '#shared/runtime/http-errors.ts'
import type { Entry } from './endpoint.ts'

/** The fields of a query or body. Throws a 400 for the first invalid one, in the form of the endpoint's errors. */
export function readFields(entry: Pick<Entry, 'errors'>, schema: v.GenericSchema, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const parsed = v.safeParse(schema, isObject ? value : {}, { abortEarly: true })
  if (parsed.success) return parsed.output
  throw entry.errors === undefined
    ? codedError(parsed.issues[0])
    : errors.badRequest(parsed.issues[0].message)
}

/** The messages of fields.ts begin with the code, and have `$` for the name of the field. */
function codedError(issue: v.BaseIssue<unknown>): HttpError {
  const field = String(issue.path?.[0]?.key ?? 'body')
  const [, code, rest = ''] = /^(required|too_long|invalid): ?(.*)$/s.exec(issue.message) ?? []
  if (code === 'required') return errors.missing(rest || field)
  if (code === 'too_long') return errors.tooLong(field, Number(rest))
  return code === 'invalid' ? errors.invalid(rest.replace('$', field)) : errors.badRequest(issue.message)
}
