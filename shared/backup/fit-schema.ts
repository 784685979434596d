import type pg from 'pg'
import { quoted } from './connection.ts'
import type { Manifest, TableEntry } from './layout.ts'

/**
 * Gives an empty database of this release's schema the tables, columns and sequences of a backup whose schema is newer:
 * after an upgrade that went back, this release runs on that schema (docs/adr/0015) without having its migrations.
 * Constraints are dropped, since the newer release may have relaxed them. The database serves to prove that every row can
 * be loaded and is equal; a restore needs the release that has the migrations.
 */
export async function fitSchema(client: pg.Client, { tables, sequences }: Fitted): Promise<void> {
  await dropConstraints(client)
  const there = await columnsOf(client)
  for (const table of tables) {
    for (const statement of await changesOf(client, table, there.get(table.name)))
      await client.query(statement)
  }
  for (const name of Object.keys(sequences))
    await client.query(`create sequence if not exists public.${quoted(name)}`)
}

type Fitted = Pick<Manifest, 'tables' | 'sequences'>
type Columns = Map<string, string>

async function changesOf(
  client: pg.Client,
  table: TableEntry,
  there: Columns | undefined,
): Promise<string[]> {
  const place = `public.${quoted(table.name)}`
  const statements = there ? [] : [`create table ${place} ()`]
  for (const name of there?.keys() ?? [])
    if (!table.columns.includes(name))
      statements.push(`alter table ${place} drop column ${quoted(name)} cascade`)
  for (const [i, name] of table.columns.entries()) {
    const [former, type] = [there?.get(name), table.types?.[i]]
    if (former !== undefined && (type === undefined || former === type)) continue
    if (former !== undefined) statements.push(`alter table ${place} drop column ${quoted(name)} cascade`)
    statements.push(`alter table ${place} add column ${quoted(name)} ${await knownType(client, type)}`)
  }
  return statements
}

/** The text form of a COPY goes through a column of text unchanged, also that of a type which this release does not have. */
async function knownType(client: pg.Client, type = 'text'): Promise<string> {
  const { rows } = await client.query<{ known: boolean }>('select to_regtype($1) is not null as known', [
    type,
  ])
  return rows[0]!.known ? type : 'text'
}

/** Types of the columns of each table, without generated columns. */
async function columnsOf(client: pg.Client): Promise<Map<string, Columns>> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `select relname as table, attname as column, format_type(atttypid, atttypmod) as type
       from pg_class
       join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const tables = new Map<string, Columns>()
  for (const { table, column, type } of rows) {
    const columns = tables.get(table) ?? new Map<string, string>()
    tables.set(table, columns.set(column, type))
  }
  return tables
}

/** Also unique indexes; identity columns stay not null. */
async function dropConstraints(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as statement
       from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'c', 'x') and conparentid = 0
      union all
     select format('drop index %s', indexrelid::regclass)
       from pg_index
       join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace
        and indisunique
        and not exists (select from pg_constraint where conindid = indexrelid)
      union all
     select format('alter table %s alter column %I drop not null', attrelid::regclass, attname)
       from pg_attribute
       join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace
        and relkind = 'r'
        and attnum > 0
        and attnotnull
        and not attisdropped
        and attidentity = ''`,
  )
  // In this order: a key keeps its columns not null.
  for (const { statement } of rows) await client.query(statement)
}
