import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as v from 'valibot'
import { ROOT } from '#shared/runtime/config.ts'
import { ENDPOINTS } from './endpoints.ts'
import type { Counted, Endpoint } from './middleware/endpoint.ts'
import { fieldsOf } from './middleware/fields-of.ts'
import { withinOf } from './middleware/limited-token.ts'
import { scopeOf } from './middleware/scopes.ts'

const BEGIN = '<!-- endpoints: written by services/api/endpoint-table.ts -->\n'
const END = '<!-- endpoints -->\n'
const FIELDS = 'Fields of queries and bodies with their limits. `*`: must be given. Others are ignored.\n'

/** The table of all endpoints by path, for docs/interface.md, with the sections of that document which describe each. */
export function endpointTable(endpoints: readonly Endpoint[], document: string): string {
  const sections = sectionsByEndpoint(withoutTables(document))
  const rows = inOrder(endpoints).map(
    endpoint => `| ${cellsOf(endpoint, sections.get(keyOf(endpoint)) ?? []).join(' | ')} |\n`,
  )
  const head =
    '| Endpoint | Section | Who | Token | Limits | Statuses | Errors |\n| --- | --- | --- | --- | --- | --- | --- |\n'
  return `${head}${rows.join('')}`
}

const inOrder = (endpoints: readonly Endpoint[]) =>
  endpoints.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))

function cellsOf(endpoint: Endpoint, sections: readonly string[]): string[] {
  const { method, path, who, limit, answers, fails = [], errors } = endpoint
  const links = sections.map(section => `[${section}](#${section})`).join(', ')
  const limits = typeof limit === 'object' ? limit.map(labelOf).join(', ') : (limit ?? '')
  const statuses = [...Object.keys(answers), ...fails].join(', ')
  const route = `\`${method.toUpperCase()} ${path}\``
  return [route, links, who, tokenOf(endpoint), limits, statuses, errors ?? 'coded']
}

/** The scope that a token needs, and whether one that is limited to channels may do it. */
function tokenOf(endpoint: Endpoint): string {
  const scope = scopeOf(endpoint)
  if (scope === 'none') return '–'
  const within = withinOf(endpoint)
  return within === 'nowhere' ? scope : `${scope}, ${within}`
}

/** The table of the fields of queries and bodies, from the schemas and the sentences of their errors. */
export function fieldTable(endpoints: readonly Endpoint[]): string {
  const rows = inOrder(endpoints)
    .map(({ method, path, query, body }) => ({
      name: `\`${method.toUpperCase()} ${path}\``,
      fields: [labelOfFields(query), labelOfFields(body?.schema)],
    }))
    .filter(({ fields }) => fields.join('') !== '')
    .map(({ name, fields }) => `| ${[name, ...fields].join(' | ')} |\n`)
  return `| Endpoint | Query | Body |\n| --- | --- | --- |\n${rows.join('')}`
}

function labelOfFields(schema: v.GenericSchema | undefined): string {
  const described = fieldsOf(schema).map(
    ({ name, isNeeded, rules }) =>
      `\`${name}\`${isNeeded ? '*' : ''}${rules.length > 0 ? `: ${rules.join(', ')}` : ''}`,
  )
  return described.join('; ')
}

/** Endpoints without a section: no first cell of a table and no bold heading names method and path. */
export function undescribed(endpoints: readonly Endpoint[], document: string): string[] {
  const sections = sectionsByEndpoint(withoutTables(document))
  return endpoints.map(keyOf).filter(key => !sections.has(key))
}

/** `GET /files/:`, whatever the parameters are called. */
const keyOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, ':')}`

function withoutTables(document: string): string {
  const [head, rest = ''] = document.split(BEGIN)
  return `${head}${rest.split(END)[1] ?? ''}`
}

function sectionsByEndpoint(document: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let section = ''
  for (const line of document.split('\n')) {
    section = /^#{2,4} ([\d.]*\d)\.? /.exec(line)?.[1] ?? section
    const describing = line.startsWith('| ') ? [line.split(' | ')[0]!] : (line.match(/\*\*.+?\*\*/g) ?? [])
    for (const key of describing.flatMap(endpointsIn)) {
      const described = sections.get(key) ?? []
      if (!described.includes(section)) sections.set(key, [...described, section])
    }
  }
  return sections
}

/** `PUT, DELETE \`/pin/<id>\`` has two; a query belongs to no path. */
function endpointsIn(text: string): string[] {
  const methods = text.match(/\b(?:GET|POST|PUT|PATCH|DELETE)\b/g) ?? []
  const paths = text.replaceAll(/<[^>]*>/g, ':').match(/\/[\w:./-]*/g) ?? []
  return methods.flatMap(method => paths.map(path => `${method} ${path}`))
}

function labelOf(counted: Counted): string {
  if (typeof counted === 'string') return `\`${counted}\``
  const [name, cost] = counted
  return `\`${name}\`${typeof cost === 'number' ? ` × ${cost.toLocaleString('en')}` : ''}`
}

/** The document with the tables of these endpoints between its marks. */
export function documentWith(endpoints: readonly Endpoint[], document: string): string {
  const [head, rest = ''] = document.split(BEGIN)
  const [, tail = ''] = rest.split(END)
  return `${head}${BEGIN}\n${endpointTable(endpoints, document)}\n${FIELDS}\n${fieldTable(endpoints)}\n${END}${tail}`
}

if (import.meta.main) {
  const file = join(ROOT, 'docs/interface.md')
  const document = readFileSync(file, 'utf8')
  writeFileSync(file, documentWith(ENDPOINTS, document))
  process.exit()
}
