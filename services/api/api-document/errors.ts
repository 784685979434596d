import type { Endpoint, Within } from '../middleware/endpoint.ts'
import { withinOf } from '../middleware/limited-token.ts'
import { isOpen, scopeOf } from '../middleware/scopes.ts'

type Form = 'coded' | 'named' | 'json' | 'text' | 'slack'

export const formOf = ({ errors }: Endpoint): Form => errors ?? 'coded'

const MEANINGS: Record<number, string> = {
  302: 'Without a session: leads to the sign-in page.',
  400: 'Malformed input, which changes nothing.',
  401: 'The token is unknown, or has ended.',
  403: 'Not allowed.',
  404: 'Nothing there that the caller may see.',
  409: 'In conflict with the present state.',
  410: 'Gone.',
  413: 'Too large.',
  415: 'Another type of body.',
  416: 'No such range.',
  429: 'Too many requests: try again after Retry-After seconds.',
  500: 'A fault of the server.',
  502: 'A program elsewhere did not respond.',
  503: 'Not available at the moment.',
}

/** Codes of errors, by status (interface 10, 19). */
const CODES: Readonly<Record<number, readonly string[]>> = {
  400: ['bad_request', 'required', 'invalid', 'too_long', 'invalid_payload', 'no_text'],
  401: ['unauthorized'],
  403: ['forbidden', 'confirm_required', 'archived'],
  404: ['not_found'],
  409: ['conflict', 'last_owner'],
  413: ['too_large'],
  429: ['rate_limited'],
  500: ['internal'],
  502: ['unavailable'],
  503: ['unavailable'],
}

export const codesOf = (status: number): readonly string[] => CODES[status] ?? ['bad_request']

const NAMES_A_CHANNEL = new Set<Within>(['channel', 'message', 'thread', 'file', 'private channel'])

/** The statuses of errors of an endpoint, with those that mount.ts and the middleware of all requests add. */
export function statusesOf(endpoint: Endpoint): number[] {
  const { who, method, path, body, answers, fails = [], errors } = endpoint
  if (errors === 'slack') return [429]
  const takesTokens = !isOpen(endpoint) && scopeOf(endpoint) !== 'none'
  const added = [
    ...(who === 'anybody' ? [] : [302]),
    ...(takesTokens ? [401] : []),
    // Other channels than those to which the token is limited.
    ...(takesTokens && NAMES_A_CHANNEL.has(withinOf(endpoint)) ? [404] : []),
    ...(isOpen(endpoint) && method === 'get' ? [] : [403]),
    // A path whose escapes are no UTF-8.
    ...(path.includes(':') ? [400] : []),
    ...(body ? [400, 413, 415] : []),
    429,
    503,
  ]
  return [...new Set([...added, ...fails])].filter(status => !(status in answers)).sort((a, b) => a - b)
}

/** References to `errorComponents`. */
export const errorResponses = (endpoint: Endpoint): Record<string, object> =>
  Object.fromEntries(
    statusesOf(endpoint).map(status => [
      status,
      { $ref: `#/components/responses/${nameOf(formOf(endpoint), status)}` },
    ]),
  )

const nameOf = (form: Form, status: number) => (status === 302 ? 'signIn' : `${form}${status}`)

/** The responses to which the operations refer, and their schemas. */
export function errorComponents(endpoints: readonly Endpoint[]): { schemas: object; responses: object } {
  const used = endpoints.flatMap(endpoint =>
    statusesOf(endpoint).map(status => [
      nameOf(formOf(endpoint), status),
      responseOf(formOf(endpoint), status),
    ]),
  )
  return { schemas: SCHEMAS, responses: Object.fromEntries(used) }
}

function responseOf(form: Form, status: number): object {
  const description = MEANINGS[status] ?? `Status ${status}.`
  if (status === 302) return { description, headers: { Location: header('/login') } }
  const retryAfter = RETRY_AFTER[status]
  return {
    description,
    ...(retryAfter && { headers: { 'Retry-After': header(retryAfter) } }),
    content: CONTENT[form],
  }
}

const RETRY_AFTER: Readonly<Record<number, string>> = {
  429: 'Seconds.',
  503: 'Seconds. Absent where the request itself takes too long.',
}

const header = (description: string) => ({ description, schema: { type: 'string' } })

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })

const CONTENT: Record<Form, object> = {
  coded: json('Error'),
  named: json('Error'),
  json: json('PlainError'),
  // As JSON to requests with a token.
  text: { 'text/plain': { schema: { type: 'string' } }, ...json('Error') },
  slack: json('SlackError'),
}

const text = (description: string) => ({ type: 'string', description })

const SCHEMAS = {
  Error: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: text('A sentence for people.'),
      code: text(`A word for programs: ${[...new Set(Object.values(CODES).flat())].join(', ')}.`),
      request_id: text(
        'The X-Request-Id of the response: for requests with a token, and on endpoints of integrations.',
      ),
    },
  },
  PlainError: {
    type: 'object',
    required: ['error'],
    description: 'To a request with a token it has code and request_id too.',
    properties: {
      error: text('A sentence for people.'),
      code: { type: 'string' },
      request_id: { type: 'string' },
    },
  },
  SlackError: {
    type: 'object',
    required: ['ok', 'error'],
    properties: { ok: { const: false }, error: text("A word of Slack's.") },
  },
}
