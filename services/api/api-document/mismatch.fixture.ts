import * as v from 'valibot'
import { issuesIn } from '#shared/test-kit/issues.ts'
import type { Endpoint } from '../middleware/endpoint.ts'
import { codesOf, formOf, statusesOf } from './errors.ts'

const JSON_TYPE = 'application/json'

/** A response as it is sent. `body`: empty for HEAD. */
interface Sent {
  status: number
  hasToken: boolean
  /** The endpoint reads no token: it may refuse in its own form all the same. */
  takesNone?: boolean
  /** Media type. */
  type: string
  body: string
  retryAfter?: string | undefined
}

const error = v.string()
const code = v.string()

/** JSON bodies of errors. `named`: of requests with a token everywhere (interface 19.1). */
const ERRORS = {
  coded: v.strictObject({ error, code }),
  named: v.strictObject({ error, code, request_id: v.string() }),
  json: v.strictObject({ error }),
  text: v.strictObject({ error, code }),
  slack: v.strictObject({ ok: v.literal(false), error, needed: v.exactOptional(v.string()) }),
}

/** Says how a response differs from the entry of its endpoint; undefined if it does not. */
export function mismatchOf(endpoint: Endpoint, sent: Sent): string | undefined {
  const { status, type, hasToken, body } = sent
  if (status === 429 && !/^[1-9]\d*$/.test(sent.retryAfter ?? '')) return 'has no Retry-After'
  const answer = endpoint.answers[status]
  if (answer) {
    if (answer.type === JSON_TYPE && type !== JSON_TYPE) return `is ${type || 'without a type'}`
    return answer.schema && mismatchOfJson(answer.schema, body)
  }
  const statuses = [...statusesOf(endpoint), ...(hasToken ? OF_TOKENS : [])]
  return statuses.includes(status) ? mismatchOfError(endpoint, sent) : `is not listed by its entry: ${body}`
}

/** Statuses of an unknown token on any address, and of an endpoint that takes none. */
const OF_TOKENS = [401, 403]

function mismatchOfError(endpoint: Endpoint, sent: Sent): string | undefined {
  const { status, type, hasToken, takesNone, body } = sent
  const itsForm = formOf(endpoint)
  if (takesNone && itsForm === 'text' && type !== JSON_TYPE) return undefined
  // Requests of other sites are refused before the endpoint.
  if (itsForm === 'json' && status === 403 && body === 'forbidden') return undefined
  const form = hasToken && itsForm !== 'slack' ? 'named' : itsForm
  if (type === JSON_TYPE) return mismatchOfJson(ERRORS[form], body) ?? mismatchOfCode(status, body)
  // Navigations get a page.
  return form === 'text' || status === 302 || type === 'text/html' ? undefined : `is ${type}: ${body}`
}

function mismatchOfCode(status: number, body: string): string | undefined {
  if (body === '') return undefined
  const { code: given } = JSON.parse(body) as { code?: string }
  const codes = codesOf(status)
  return given === undefined || codes.includes(given) ? undefined : `code: ${given} for ${codes.join(', ')}`
}

const mismatchOfJson = (schema: v.GenericSchema, body: string): string | undefined =>
  body === '' ? undefined : issuesIn(schema, JSON.parse(body))
