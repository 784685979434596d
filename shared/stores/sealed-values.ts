import type { Db } from './postgres.ts'
import type { Secrets } from './secrets.ts'

interface SealedColumn {
  table: 'hooks_in' | 'hooks_out' | 'slash_commands'
  key: 'id' | 'name'
  column: string
  /** The end of the purpose, which is `<table>:<key>:<end>` (secrets.ts). */
  end: string
  /** Rows whose value is still of use. */
  condition: string
}

/** Every column of the database with sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'hooks_in', key: 'id', column: 'sign_secret_enc', end: 'sign', condition: 'true' },
  { table: 'hooks_out', key: 'id', column: 'secret_enc', end: 'secret', condition: 'true' },
  {
    ...{ table: 'hooks_out', key: 'id', column: 'old_secret_enc', end: 'old_secret' },
    condition: 'old_until > extract(epoch from now())',
  },
  { table: 'hooks_out', key: 'id', column: 'verify_token_enc', end: 'verify_token', condition: 'true' },
  { table: 'slash_commands', key: 'name', column: 'secret_enc', end: 'secret', condition: 'true' },
  {
    table: 'slash_commands',
    key: 'name',
    column: 'verify_token_enc',
    end: 'verify_token',
    condition: 'true',
  },
]

const PAGE = 500

interface SealedValue {
  key: number | string
  value: Buffer
}

/** The values of a column, some at a time. */
async function* pagesOf(db: Db, { table, key, column, condition }: SealedColumn) {
  let last: SealedValue['key'] | null = null
  for (;;) {
    const { rows }: { rows: SealedValue[] } = await db.query<SealedValue>(
      `select ${key} as key, ${column} as value
         from ${table}
        where ${column} is not null and ${condition}
          and ($1::text is null or ${key} > $1::${key === 'id' ? 'bigint' : 'text'})
        order by ${key}
        limit ${PAGE}`,
      [last],
    )
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)!.key
  }
}

/** How values open under the present keys. */
export interface SealedCount {
  current: number
  /** Under a former key, which is still needed. */
  former: number
  /** Under no present key, by table. */
  unreadable: Partial<Record<SealedColumn['table'], number>>
}

export async function countSealed(db: Db, secrets: Secrets): Promise<SealedCount> {
  const count: SealedCount = { current: 0, former: 0, unreadable: {} }
  for (const column of SEALED_COLUMNS)
    for await (const rows of pagesOf(db, column))
      for (const { key, value } of rows) {
        const purpose = `${column.table}:${key}:${column.end}`
        if (secrets.renewed(value, purpose)) count.former++
        else if (secrets.open(value, purpose) !== null) count.current++
        else count.unreadable[column.table] = (count.unreadable[column.table] ?? 0) + 1
      }
  return count
}

/** Seals under the current key all that a former one opens. A value that changed meanwhile stays. Returns their number. */
export async function renewSealed(db: Db, secrets: Secrets): Promise<number> {
  let renewed = 0
  for (const column of SEALED_COLUMNS)
    for await (const rows of pagesOf(db, column))
      for (const { key, value } of rows) {
        const to = secrets.renewed(value, `${column.table}:${key}:${column.end}`)
        if (to && (await replace(db, column, { key, value }, to))) renewed++
      }
  return renewed
}

async function replace(
  db: Db,
  { table, key, column }: SealedColumn,
  from: SealedValue,
  to: Buffer,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${table} set ${column} = $3 where ${key} = $1 and ${column} = $2`,
    [from.key, from.value, to],
  )
  return rowCount === 1
}
