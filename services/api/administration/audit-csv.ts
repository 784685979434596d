import type { AuditPayload } from '#shared/domain/payloads/administration.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type AuditFilter, readAudit } from './read-audit.ts'

const COLUMNS = [
  'id',
  'ts',
  'actor',
  'actor_kind',
  'action',
  'target',
  'channel',
  'detail',
  'address',
] as const satisfies readonly (keyof AuditPayload)[]

const ROWS_PER_QUERY = 500

/** The log as CSV (RFC 4180), newest first, in parts. */
export async function* auditCsv({ db }: Stores, filter: AuditFilter): AsyncGenerator<string> {
  yield line(COLUMNS)
  for (let last: AuditPayload | undefined; ; ) {
    const { items, more } = await readAudit(db, filter, last, ROWS_PER_QUERY)
    if (items.length > 0) yield items.map(entry => line(COLUMNS.map(name => cellOf(entry[name])))).join('')
    if (!more) return
    last = items.at(-1)
  }
}

function cellOf(value: AuditPayload[keyof AuditPayload]): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const line = (cells: readonly string[]) => `${cells.map(csvCell).join()}\r\n`

/** A quote before `= + - @` keeps spreadsheets from running the cell as a formula. */
export function csvCell(text: string): string {
  const guarded = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
