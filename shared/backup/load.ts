import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { messageWithoutValues } from '#shared/runtime/log.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { quoted, SAME_TEXT, withConnection } from './connection.ts'
import { fitSchema } from './fit-schema.ts'
import { BackupFault, type Content, NEWEST, type TableEntry } from './layout.ts'
import { readPart, Tally } from './parts.ts'
import type { OpenBackup } from './read-backup.ts'
import { newestOf, type Rows, rowsOf, tablesOf } from './snapshot.ts'

/** For building indexes. */
const SORT_MEMORY = '256MB'

export interface Loaded {
  tables: number
  rows: number
}

/**
 * Loads a backup into an empty database with the right to create tables: the schema of the backup's migrations, then the
 * rows, then indexes and constraints, which is several times faster than to keep them while loading. Every table is read
 * back and compared with the manifest. Throws if a row differs; the database is then of no use. `isNewer`: the program lacks
 * migrations of the backup, and the database is made to fit (fit-schema.ts).
 */
export async function loadBackup(
  url: string,
  backup: OpenBackup,
  { signal, isNewer = false }: { signal?: AbortSignal | undefined; isNewer?: boolean } = {},
): Promise<Loaded> {
  const { manifest } = backup
  await migrate(url, manifest.migrations)
  return withConnection(
    url,
    async client => {
      await client.query(SAME_TEXT)
      // A crash of the server makes the restore fail as a whole.
      await client.query(`set synchronous_commit = off; set maintenance_work_mem = '${SORT_MEMORY}'`)
      if (isNewer) await fitSchema(client, manifest)
      await requireTables(client, manifest.tables)
      const rebuild = await takeOff(client)
      for (const table of manifest.tables) {
        signal?.throwIfAborted()
        await loadTable(client, backup, table, signal)
      }
      for (const statement of rebuild) {
        signal?.throwIfAborted()
        await client.query(statement).catch(err => {
          throw isRefusal(err)
            ? new BackupFault(`The rows of the backup do not fit together: ${said(err)}.`)
            : err
        })
      }
      for (const [name, value] of Object.entries(manifest.sequences))
        await client.query('select setval($1::regclass, $2)', [`public.${quoted(name)}`, value])
      await client.query('analyze')
      return {
        tables: manifest.tables.length,
        rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      }
    },
    signal,
  )
}

/** Throws unless the newest message of each channel is that of the backup; also after migrations. */
export async function compareNewest(url: string, { manifest }: OpenBackup): Promise<void> {
  await withConnection(url, async client => {
    await client.query(SAME_TEXT)
    compare(
      `${NEWEST}, the newest messages of the channels`,
      await contentOf(newestOf(client)),
      manifest.newest,
    )
  })
}

async function requireTables(client: pg.Client, wanted: readonly TableEntry[]) {
  const there = new Map(
    (await tablesOf(client)).map(({ name, columns }) => [name, columns.toSorted().join()]),
  )
  for (const { name, columns } of wanted) {
    if (there.get(name) !== columns.toSorted().join())
      throw new BackupFault(`The table ${name} of the backup is not that of its migrations.`)
  }
}

/**
 * Drops indexes and constraints and turns triggers off, which would count and copy a second time. Returns the statements
 * that bring them back.
 */
async function takeOff(client: pg.Client): Promise<string[]> {
  const { rows: constraints } = await client.query<{
    table: string
    name: string
    definition: string
    foreign: boolean
  }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition,
            contype = 'f' as foreign
       from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f') and conparentid = 0
      order by contype = 'f' desc, contype = 'u' desc, conname`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index
       join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace
        and not exists (select from pg_constraint where conindid = indexrelid)
      order by relname`,
  )
  const { rows: triggers } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name
       from pg_trigger
       join pg_class on pg_class.oid = tgrelid
      where relnamespace = 'public'::regnamespace and not tgisinternal and tgenabled = 'O'`,
  )
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`)
  for (const { table, name } of constraints)
    await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return [
    ...constraints
      .toReversed()
      .filter(({ foreign }) => !foreign)
      .map(added),
    ...indexes.map(({ definition }) => definition),
    ...constraints.filter(({ foreign }) => foreign).map(added),
    ...triggers.map(({ table, name }) => `alter table ${table} enable trigger ${name}`),
  ]
}

const added = ({ table, name, definition }: { table: string; name: string; definition: string }) =>
  `alter table ${table} add constraint ${name} ${definition}`

/** Truncates in the same transaction: migrations put rows into some tables, and rows then keep their order. */
async function loadTable(client: pg.Client, backup: OpenBackup, table: TableEntry, signal?: AbortSignal) {
  const place = `public.${quoted(table.name)}`
  await client.query('begin')
  await client.query(`truncate ${place}`)
  const rows = client.query(copyFrom(`copy ${place} (${table.columns.map(quoted).join(', ')}) from stdin`))
  try {
    await readPart(backup, table.part, rows, { signal })
  } catch (err) {
    if (!isRefusal(err)) throw err
    throw new BackupFault(`${table.part} cannot be loaded into the table ${table.name}: ${said(err)}.`)
  }
  await client.query('commit')
  compare(`${table.part}, the table ${table.name}`, await contentOf(rowsOf(client, table)), table)
}

/** The server refuses the rows, as opposed to a broken connection or a full disk. */
const isRefusal = (err: unknown) => /^(2[123]|42|P0)/.test(String((err as { code?: unknown }).code ?? ''))

/** What PostgreSQL says, with line and column, and without any value. */
function said(err: unknown): string {
  const { where = '', constraint } = err as { where?: string; constraint?: string }
  const [, line, column] = /^COPY \w+, line (\d+)(?:, column (\w+))?/.exec(where) ?? []
  const at = [line && `line ${line}`, column && `column ${column}`, constraint && `constraint ${constraint}`]
  const place = at.filter(Boolean).join(', ')
  return `${messageWithoutValues(err)}${place === '' ? '' : ` (${place})`}`
}

async function contentOf({ text, count }: Rows): Promise<Content> {
  const tally = new Tally()
  await pipeline(text, tally, async source => {
    for await (const _ of source);
  })
  return { rows: count(), sha256: tally.sha256() }
}

function compare(what: string, found: Content, wanted: Content) {
  if (found.rows !== wanted.rows)
    throw new BackupFault(`${what}: ${found.rows} rows were restored, the backup has ${wanted.rows}.`)
  if (found.sha256 !== wanted.sha256)
    throw new BackupFault(`${what}: the restored rows are not those of the backup.`)
}
