import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { ENDPOINTS } from './endpoints.ts'
import type { Endpoint } from './middleware/endpoint.ts'

const BEGIN = '<!-- endpoints: written by services/api/endpoint-table.ts -->\n'
const END = '<!-- endpoints -->\n'

/** The table of all endpoints by path, for docs/interface.md. */
export function endpointTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(endpoint => `| ${cellsOf(endpoint).join(' | ')} |\n`)
  return `| Endpoint | Who | Limits | Statuses | Errors |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`
}

function cellsOf({ method, path, who, limit, answers, fails = [], errors }: Endpoint): string[] {
  const limits = typeof limit === 'object' ? limit.map(name => `\`${name}\``).join(', ') : (limit ?? '')
  const statuses = [...Object.keys(answers), ...fails].join(', ')
  return [`\`${method.toUpperCase()} ${path}\``, who, limits, statuses, errors ?? 'coded']
}

/** The document with this table between its marks. */
export function fileWithTable(document: string, table: string): string {
  const [head, rest = ''] = document.split(BEGIN)
  const [, tail = ''] = rest.split(END)
  return `${head}${BEGIN}\n${table}\n${END}${tail}`
}

if (import.meta.main) {
  const file = join(ROOT, 'docs/interface.md')
  writeFileSync(file, fileWithTable(readFileSync(file, 'utf8'), endpointTable(ENDPOINTS)))
  process.exit()
}
