import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import * as v from 'valibot'
import { curlLine } from './api-document/curl.ts'
import { apiDocument, templateOf } from './api-document/document.ts'
import { bodySchema, parameterSchema } from './api-document/json-schema.ts'
import { ENDPOINTS, ROUTES } from './endpoints.ts'
import * as f from './middleware/fields.ts'
import { fieldsOf } from './middleware/fields-of.ts'

type Content = Record<string, { schema: Record<string, unknown> }>
const SHAPES = ['$ref', 'properties', 'items', 'additionalProperties', 'anyOf', 'oneOf']

describe('the OpenAPI document (interface 19.7)', () => {
  const document = apiDocument(ENDPOINTS)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const lineOf = (method: string, path: string) =>
    curlLine('https://chat.example.org', { method, path, operation: document.paths[path]![method]! })

  it('A8: is valid', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    expect(errors).to.equal(undefined)
    expect(valid).to.equal(true)
  })

  it('A8: has the endpoints of the server, and the stream of the gateway', () => {
    const listed = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(listed.sort()).to.deep.equal([...ROUTES.map(templateOf), 'GET /events'].sort())
  })

  it('has a name of its own for each operation, and no reference without an end', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).to.equal(ids.length)
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g))
      expect(document.components, name).to.have.nested.property(name!.replace('/', '.'))
    const tags = document.tags.map(({ name }) => name)
    for (const { operation } of operations) expect(tags).to.include.members(operation.tags)
  })

  it('has the shape of each JSON response, and each payload by its name', () => {
    const named = Object.keys(document.components.schemas)
    expect(named).to.include.members(['BotPayload', 'MessagePayload', 'IncomingHookPayload', 'UploadPayload'])
    const others = ['get /openapi.json', 'post /mcp']
    for (const { method, path, operation } of operations)
      for (const response of Object.values(operation.responses) as { content?: Content }[]) {
        const schema = response.content?.['application/json']?.schema
        if (schema === undefined || others.includes(`${method} ${path}`)) continue
        expect(schema, `${method} ${path}`).to.include.any.keys(...SHAPES)
      }
    expect(document.paths['/bots']!['get']!.responses['200']).to.have.nested.property(
      'content.application/json.schema.items.$ref',
      '#/components/schemas/BotPayload',
    )
  })

  it('asks for the scope of tokens, and for a session where none will do', () => {
    const securityOf = (method: string, path: string) => document.paths[path]![method]!.security
    expect(securityOf('get', '/pins/{channel}')).to.deep.equal([{ token: ['read'] }, { session: [] }])
    expect(securityOf('post', '/tokens')).to.deep.equal([{ session: [] }])
    expect(securityOf('get', '/version')).to.deep.equal([])
    expect(securityOf('post', '/mcp')).to.deep.equal([{ token: ['read'] }])
    expect(securityOf('post', '/api/chat.postMessage')).to.deep.equal([{ token: ['write'] }])
  })

  it('takes types from schemas and limits from their sentences', () => {
    const schema = f.fields({
      name: f.needed(f.line(80)),
      note: f.text(200),
      count: f.wholeNumber(1, 9),
      channels: v.exactOptional(f.list(f.isText, 'a list of 1 to 50 channels', { least: 1, most: 50 })),
      level: f.choice(['all', 'nothing']),
      quiet: f.flag,
      client_id: f.clientId,
      any: f.anything,
    })
    expect(bodySchema(schema)).to.deep.equal({
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 80, description: 'at most 80 characters.' },
        note: { type: ['string', 'null'], maxLength: 200, description: 'at most 200 characters.' },
        count: { type: 'integer', minimum: 1, maximum: 9, description: 'a whole number from 1 to 9.' },
        channels: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: 50,
          description: 'a list of 1 to 50 channels.',
        },
        level: { type: 'string', enum: ['all', 'nothing'], description: 'all or nothing.' },
        quiet: { type: 'boolean' },
        client_id: { type: ['string', 'null'], format: 'uuid', description: 'a UUID.' },
        any: {},
      },
      required: ['name', 'count'],
    })
  })

  it('has numbers and words of queries as such, and text for all else', () => {
    const query = f.fields({ limit: f.limit(), unread: f.bit, tz: f.timeZone, q: f.words, at: f.lenientTime })
    const schemas = fieldsOf(query).map(field => [field.name, parameterSchema(field)])
    expect(Object.fromEntries(schemas)).to.deep.equal({
      limit: { type: 'number', minimum: 1, maximum: 200 },
      unread: { type: 'string', enum: ['0', '1'] },
      tz: { type: 'string' },
      q: { type: 'string', maxLength: 200 },
      at: { type: 'string' },
    })
  })

  it('names the files of forms', () => {
    const { requestBody } = document.paths['/emoji']!['post']!
    expect(requestBody!.content['multipart/form-data']!.schema['properties']).to.include.keys('name', 'image')
  })

  it('has lines for curl that fill in what must be given', () => {
    expect(lineOf('get', '/pins/{channel}')).to.equal(
      `curl \\\n  -H "Authorization: Bearer $TOKEN" \\\n  'https://chat.example.org/pins/CHANNEL'`,
    )
    expect(lineOf('post', '/forward/{id}')).to.equal(
      `curl -X POST \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"channel":"CHANNEL"}' \\\n  'https://chat.example.org/forward/ID'`,
    )
    expect(lineOf('post', '/send/{channel}')).to.include("--data-urlencode 'text=TEXT'")
    expect(lineOf('get', '/search')).to.include("/search?q=Q'")
    expect(lineOf('get', '/version')).to.equal("curl \\\n  'https://chat.example.org/version'")
    expect(lineOf('post', '/tokens')).to.equal(undefined)
  })
})
