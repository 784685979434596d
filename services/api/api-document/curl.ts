import type { JsonSchema } from './json-schema.ts'
import type { Operation } from './openapi.ts'

interface Asked {
  method: string
  path: string
  operation: Operation
}

/**
 * A request with curl that has what must be given, in capitals where the reader fills in: `CHANNEL`, `NAME`. Undefined for what
 * browsers alone may ask.
 */
export function curlLine(origin: string, { method, path, operation }: Asked): string | undefined {
  const { security, tags, parameters = [], requestBody } = operation
  if (tags.includes('session')) return undefined
  const query = parameters
    .filter(one => one.in === 'query' && one.required)
    .map(({ name }) => `${name}=${name.toUpperCase()}`)
  const address = `${origin}${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => name.toUpperCase())}`
  return [
    method === 'get' ? 'curl' : `curl -X ${method.toUpperCase()}`,
    ...(security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(requestBody ? bodyOf(requestBody.content) : []),
    quoted(query.length > 0 ? `${address}?${query.join('&')}` : address),
  ].join(' \\\n  ')
}

function bodyOf(content: Record<string, { schema: JsonSchema }>): string[] {
  const type = TYPES.find(known => content[known])
  if (type === undefined) return ['--data-binary @FILE']
  const fields = exampleOf(content[type]!.schema)
  if (type === 'application/json')
    return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(fields))}`]
  const option = type === 'multipart/form-data' ? '-F' : '--data-urlencode'
  return Object.entries(fields).map(([name, value]) => `${option} ${quoted(`${name}=${value}`)}`)
}

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const

/** The fields that must be given; the first one, if none must. */
function exampleOf(schema: JsonSchema): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const needed = (schema['required'] ?? Object.keys(properties).slice(0, 1)) as string[]
  return Object.fromEntries(needed.map(name => [name, exampleValue(name, properties[name] ?? {})]))
}

function exampleValue(name: string, schema: JsonSchema): unknown {
  const [type] = [schema['type'] ?? 'string'].flat()
  if (schema['contentMediaType'] !== undefined) return '@FILE'
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : name.toUpperCase()
}

/** For a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
