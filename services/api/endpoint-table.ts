import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { ENDPOINTS } from './endpoints.ts'
import type { Counted, Endpoint } from './middleware/endpoint.ts'

const BEGIN = '<!-- endpoints: written by services/api/endpoint-table.ts -->\n'
const END = '<!-- endpoints -->\n'

/** The table of all endpoints by path, for docs/interface.md, with the sections of that document which describe each. */
export function endpointTable(endpoints: readonly Endpoint[], document: string): string {
  const sections = sectionsByEndpoint(document.split(BEGIN)[0]!)
  const rows = endpoints
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(endpoint => `| ${cellsOf(endpoint, sections.get(keyOf(endpoint)) ?? []).join(' | ')} |\n`)
  const head =
    '| Endpoint | Section | Who | Limits | Statuses | Errors |\n| --- | --- | --- | --- | --- | --- |\n'
  return `${head}${rows.join('')}`
}

function cellsOf(endpoint: Endpoint, sections: readonly string[]): string[] {
  const { method, path, who, limit, answers, fails = [], errors } = endpoint
  const links = sections.map(section => `[${section}](#${section})`).join(', ')
  const limits = typeof limit === 'object' ? limit.map(labelOf).join(', ') : (limit ?? '')
  const statuses = [...Object.keys(answers), ...fails].join(', ')
  return [`\`${method.toUpperCase()} ${path}\``, links, who, limits, statuses, errors ?? 'coded']
}

/** Endpoints without a section: no first cell of a table and no bold heading names method and path. */
export function undescribed(endpoints: readonly Endpoint[], document: string): string[] {
  const sections = sectionsByEndpoint(document.split(BEGIN)[0]!)
  return endpoints.map(keyOf).filter(key => !sections.has(key))
}

/** `GET /files/:`, whatever the parameters are called. */
const keyOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, ':')}`

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

/** The document with this table between its marks. */
export function fileWithTable(document: string, table: string): string {
  const [head, rest = ''] = document.split(BEGIN)
  const [, tail = ''] = rest.split(END)
  return `${head}${BEGIN}\n${table}\n${END}${tail}`
}

if (import.meta.main) {
  const file = join(ROOT, 'docs/interface.md')
  const document = readFileSync(file, 'utf8')
  writeFileSync(file, fileWithTable(document, endpointTable(ENDPOINTS, document)))
  process.exit()
}
