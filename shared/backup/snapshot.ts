import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { quoted, SAME_TEXT } from './connection.ts'

/** Reads a moment of the database while people write. */

/** Rows of what ends with the processes, or describes this server rather than the office. */
const LEFT_OUT = new Set([
  'schema_migrations',
  'replicas',
  'signals',
  'media_chunks',
  'uploads',
  'outgoing_events',
  'deliveries',
  'backups',
  'backup_target',
])

export interface TableOfSchema {
  name: string
  /** Without generated columns. */
  columns: string[]
  /** As `format_type` names them, in the order of the columns. */
  types: string[]
}

/** Waits for a migration that is at work; afterwards the backup fails. */
const LOCK_WAIT = '30s'

/** Opens a transaction that sees one moment, with every table locked against changes of the schema. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query(SAME_TEXT)
  const names = (await allTables(client)).map(({ name }) => `public.${quoted(name)}`)
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set local lock_timeout = '${LOCK_WAIT}'`)
  // The snapshot is that of the first read, after the locks: otherwise a migration in between would be half seen.
  if (names.length > 0) await client.query(`lock table ${names.join(', ')} in access share mode`)
}

/** The tables whose rows a backup has. */
export const tablesOf = async (client: pg.Client): Promise<TableOfSchema[]> =>
  (await allTables(client)).filter(({ name }) => !LEFT_OUT.has(name))

async function allTables(client: pg.Client): Promise<TableOfSchema[]> {
  const { rows } = await client.query<TableOfSchema>(
    `select relname as name, array_agg(attname::text order by attnum) as columns,
            array_agg(format_type(atttypid, atttypmod) order by attnum) as types
       from pg_class
       join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      where relnamespace = 'public'::regnamespace and relkind = 'r'
      group by relname
      order by relname`,
  )
  return rows
}

export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  return rows.map(row => row.name)
}

/** Last values; they are not part of the snapshot, but never older than it. */
export async function sequencesOf(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; value: number }>(
    `select sequencename as name, last_value as value
       from pg_sequences
      where schemaname = 'public' and last_value is not null
      order by sequencename`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export interface Rows {
  text: Readable
  /** Once the text has ended. */
  count(): number
}

/** All rows of a table, in their order on the disk. */
export const rowsOf = (client: pg.Client, { name, columns }: Pick<TableOfSchema, 'name' | 'columns'>): Rows =>
  copied(client, `public.${quoted(name)} (${columns.map(quoted).join(', ')})`)

/** The newest message of each channel. */
export const newestOf = (client: pg.Client): Rows =>
  copied(
    client,
    `(select channel, max(id) from public.messages group by channel order by channel collate "C")`,
  )

/** Names of the files that rows name, for the count of those that are missing. */
export const namedFiles = (client: pg.Client): Rows =>
  copied(
    client,
    `(select filename from public.messages where filename is not null
      union select avatar_file from public.users where avatar_file is not null
      union select file from public.custom_emoji)`,
  )

function copied(client: pg.Client, what: string): Rows {
  const text = client.query(copyTo(`copy ${what} to stdout`))
  return { text, count: () => text.rowCount }
}
