import { VERSION } from '#shared/runtime/version.ts'
import type { Answer, Counted, Endpoint } from '../middleware/endpoint.ts'
import { fieldsOf } from '../middleware/fields-of.ts'
import { withinOf } from '../middleware/limited-token.ts'
import { isOpen, scopeOf } from '../middleware/scopes.ts'
import { errorComponents, errorResponses } from './errors.ts'
import { EVENTS } from './events.ts'
import { bodySchema, type JsonSchema, parameterSchema } from './json-schema.ts'
import type { ApiDocument, Operation, Parameter, RequestBody } from './openapi.ts'
import { payloadSchemas, responseSchema } from './payload-schemas.ts'
import { typeText } from './type-text.ts'

/** The OpenAPI document of the endpoints and of the event stream (interface 19.7). */
export function apiDocument(endpoints: readonly Endpoint[]): ApiDocument {
  const { schemas, responses } = errorComponents(endpoints)
  const paths: ApiDocument['paths'] = { '/events': { get: EVENTS } }
  for (const endpoint of endpoints) {
    const path = templateOf(endpoint.path)
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'bothy',
      version: VERSION,
      summary: 'The interface of this server.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...schemas, ...payloadSchemas() },
      responses,
    },
  }
}

const INTRODUCTION = `Additive changes keep \`api\` of \`GET /version\`. Timestamps are seconds since the Unix epoch. An endpoint
ignores the fields of queries and bodies that it does not name, unless its schema says otherwise. A request with a token gets all
errors as JSON with a code, and tells in \`RateLimit\` and \`RateLimit-Policy\` how its limits stand.`

/** Groups of the endpoints, by what a program needs for them. */
const TAGS = [
  ['read', 'Tokens with the scope read.'],
  ['write', 'Tokens with the scope write.'],
  ['channels', 'Tokens with the scope channels.'],
  ['admin', 'Tokens with the scope admin, of administrators.'],
  ['slack', "The subset of Slack's Web API. Slack's documentation describes arguments and objects."],
  ['open', 'Without a session or token.'],
  ['session', 'Sessions of browsers alone: pages, passwords, and what asks for the password again.'],
] as const

export type Tag = (typeof TAGS)[number][0]

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'bothy_ and 49 letters and digits',
    description: 'A token of a person or bot: Settings, Tokens.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'The session of a browser after POST /login. Changes from another site are refused.',
  },
}

/** `/pins/{channel}` of `/pins/:channel`. */
export const templateOf = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')

function operationOf(endpoint: Endpoint): Operation {
  const { method, path, summary = '', query, body, ownBody } = endpoint
  const parameters: Parameter[] = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name: name!,
      in: 'path' as const,
      required: true,
      schema: { type: 'string' },
    })),
    ...fieldsOf(query).map(field => ({
      name: field.name,
      in: 'query' as const,
      ...(field.isNeeded && { required: true }),
      ...(field.rules.length > 0 && { description: `${field.rules.join(', ')}.` }),
      schema: parameterSchema(field),
    })),
  ]
  return {
    operationId: `${method}${path === '/' ? '_root' : path.replaceAll(/\W+/g, '_')}`,
    summary,
    description: descriptionOf(endpoint),
    tags: [tagOf(endpoint)],
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(body) }),
    ...(ownBody && { requestBody: anyBody(ownBody) }),
    responses: responsesOf(endpoint),
  }
}

export function tagOf(endpoint: Endpoint): Tag {
  const scope = scopeOf(endpoint)
  if (endpoint.errors === 'slack') return 'slack'
  const isPage = Object.values(endpoint.answers).some(({ type }) => type === 'text/html')
  if (isOpen(endpoint) && !isPage) return 'open'
  return scope === 'none' ? 'session' : scope
}

function securityOf(endpoint: Endpoint): Operation['security'] {
  const scope = scopeOf(endpoint)
  if (isOpen(endpoint)) return []
  if (scope === 'none') return [{ session: [] }]
  return endpoint.errors === 'slack' || endpoint.who === 'anybody'
    ? [{ token: [scope] }]
    : [{ token: [scope] }, { session: [] }]
}

const WHO: Record<Endpoint['who'], string> = {
  anybody: 'For anybody.',
  'signed in': 'For everybody with an account.',
  admin: 'For administrators.',
  owner: 'For owners.',
  member: 'For those who read the channel or message, or take part in the call.',
  author: 'For the author.',
  manager: 'For managers of the channel or group.',
  moderator: 'For moderators.',
  inviter: 'For those who may invite.',
}

/** Callers, confirmation, tokens and limits, a sentence each. */
function descriptionOf(endpoint: Endpoint): string {
  const { who, isConfirmed, limit } = endpoint
  const sentences = [isOpen(endpoint) || who !== 'anybody' ? WHO[who] : 'For tokens alone.']
  if (isConfirmed) sentences.push('Asks for the password again (403 `confirm_required`).')
  if (who !== 'anybody' && scopeOf(endpoint) !== 'none') {
    const within = withinOf(endpoint)
    if (within === 'nowhere') sentences.push('Not for tokens that are limited to channels.')
  }
  if (limit === 'by address') sentences.push('Limited by address.')
  else if (limit && limit.length > 0) sentences.push(`Limits: ${limit.map(limitLabel).join(', ')}.`)
  return sentences.join(' ')
}

function limitLabel(counted: Counted): string {
  const [name, cost] = typeof counted === 'string' ? [counted, 1] : counted
  return typeof cost === 'number' && cost > 1 ? `\`${name}\` × ${cost}` : `\`${name}\``
}

const BYTES = 'application/octet-stream'
const FILE: JsonSchema = { type: 'string', contentMediaType: BYTES }

function requestBodyOf({ types, schema, files }: NonNullable<Endpoint['body']>): RequestBody {
  const fields = bodySchema(schema)
  const content = types.map(type => [type, { schema: schemaFor(type, fields, files) }] as const)
  return {
    content: Object.fromEntries(content),
    ...((fields['required'] !== undefined || types.includes(BYTES)) && { required: true }),
  }
}

/** A body that the handler reads: the interface tells its form. */
const anyBody = (types: readonly string[]): RequestBody => ({
  content: Object.fromEntries(
    types.map(type => [type, { schema: type === BYTES ? {} : { type: 'object' } }]),
  ),
  required: true,
})

function schemaFor(type: string, fields: JsonSchema, files: string | undefined): JsonSchema {
  if (type === BYTES) return {}
  if (type === 'application/json') return fields
  const properties = Object.entries((fields['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, field]) => [name, isAnything(field) ? { type: 'string', ...field } : field],
  )
  if (type === 'multipart/form-data' && files !== undefined)
    properties.push([files, files === 'files' ? { type: 'array', items: FILE } : FILE])
  return { ...fields, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) }
}

/** Forms have text alone. */
const isAnything = (field: JsonSchema) => !('type' in field || 'enum' in field || 'anyOf' in field)

function responsesOf(endpoint: Endpoint): Operation['responses'] {
  const answers = Object.entries(endpoint.answers).map(([status, answer]) => [status, responseOf(answer)])
  return { ...errorResponses(endpoint), ...Object.fromEntries(answers) }
}

function responseOf({ type, name = '', schema }: Answer): object {
  if (type === undefined)
    return name === 'to Location'
      ? {
          description: 'Leads to the address in Location.',
          headers: { Location: { schema: { type: 'string' } } },
        }
      : { description: 'No body.' }
  const shape = schema ? responseSchema(schema) : { type: type === 'application/json' ? 'object' : 'string' }
  return { description: `${schema ? typeText(shape) : name}.`, content: { [type]: { schema: shape } } }
}
