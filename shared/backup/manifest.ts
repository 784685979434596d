import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { isFileName } from '#shared/domain/file-names.ts'
import {
  BackupFault,
  type BackupPart,
  CHECKSUM,
  MANIFEST,
  type Manifest,
  NAME_LIST,
  NEWEST,
  POOL_LIST,
  SECRET_NAMES,
  SECRETS,
  SETTINGS,
  tablePart,
} from './layout.ts'
import { COST } from './sealing.ts'

/** Bytes of a manifest: 60 tables take 60 KiB. */
export const LONGEST_MANIFEST = 4 * 2 ** 20
/** Largest ratio of an unpacked part to its bytes, and bytes allowed beyond it. Rows compress to a hundredth at best. */
const HIGHEST_RATIO = 1_000
const ALWAYS_ALLOWED = 64 * 2 ** 20
const MOST_TABLES = 1_000
const MOST_COLUMNS = 1_600
const MOST_MIGRATIONS = 10_000
export const MOST_MISSING_NAMES = 20

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const ofForm = (form: RegExp) => v.pipe(v.string(), v.regex(form))
const sha256 = ofForm(/^[0-9a-f]{64}$/)
/** Name of a table, column or sequence, which statements have in quotation marks. */
const identifier = ofForm(/^[a-z_][a-z0-9_]{0,62}$/)
/** As `format_type` prints it, such as `timestamp with time zone`, `numeric(10,2)` or `text[]`; also of later releases. */
const type = ofForm(
  /^(?:"?[a-z_][a-z0-9_]{0,62}"?|double precision|bit varying|character varying)(?:\(\d{1,4}(?:,\d{1,4})?\))?(?: with(?:out)? time zone)?(?:\[\])?$/,
)
const partPath = ofForm(/^(?:tables\/)?[a-z_][a-z0-9_]{0,62}\.(?:copy|jsonl|json)\.zst$/)
const most = <T>(items: number) => v.maxLength<T[], number>(items)

const stored = { path: partPath, bytes: count, sha256 }
const content = { rows: count, sha256 }

const FORM = v.strictObject({
  format: v.literal('bothy-backup'),
  version: v.picklist([1, 2]),
  id: v.optional(ofForm(/^[0-9a-f]{32}$/)),
  // Until the year 9999.
  made_ts: v.pipe(v.number(), v.minValue(0), v.maxValue(253_402_300_799)),
  app_version: ofForm(/^[0-9A-Za-z.+-]{1,64}$/),
  commit: ofForm(/^[0-9A-Za-z._/+-]{0,100}$/),
  migrations: v.pipe(v.array(ofForm(/^\d{4}[0-9A-Za-z_-]{1,100}\.sql$/)), most(MOST_MIGRATIONS)),
  encryption: v.nullable(
    v.strictObject({
      salt: ofForm(/^[A-Za-z0-9+/]{22}==$/),
      // Others would let a backup choose the memory that a restore takes.
      n: v.literal(COST.n),
      r: v.literal(COST.r),
      p: v.literal(COST.p),
      check: ofForm(/^[0-9a-f]{16}$/),
    }),
  ),
  tables: v.pipe(
    v.array(
      v.strictObject({
        name: identifier,
        columns: v.pipe(v.array(identifier), v.minLength(1), most(MOST_COLUMNS)),
        types: v.optional(v.pipe(v.array(type), most(MOST_COLUMNS))),
        ...content,
        part: partPath,
      }),
    ),
    most(MOST_TABLES),
  ),
  newest: v.strictObject({ ...content, part: v.literal(NEWEST) }),
  sequences: v.record(identifier, v.pipe(v.number(), v.safeInteger())),
  files: v.strictObject({
    count,
    bytes: count,
    missing: v.strictObject({
      count,
      names: v.pipe(v.array(v.pipe(v.string(), v.check(isFileName))), most(MOST_MISSING_NAMES)),
    }),
  }),
  secrets: v.nullable(v.pipe(v.array(v.picklist(SECRET_NAMES)), most(SECRET_NAMES.length))),
  parts: v.pipe(
    v.array(v.strictObject({ ...stored, content_bytes: v.optional(count) })),
    most(MOST_TABLES + 10),
  ),
})

/** The manifest as stored, and the line of its checksum. */
export function manifestTexts(manifest: Manifest): { text: string; checksum: string } {
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  return { text, checksum: checksumOf(text) }
}

/** Reads a stored manifest; throws unless its checksum is that of the text, and every field is of the form above. */
export function manifestIn(text: string, checksum: string): Manifest {
  if (checksum !== checksumOf(text))
    throw new BackupFault(`${MANIFEST} differs from its checksum in ${CHECKSUM}.`)
  const json = jsonIn(text)
  const { format, version } = (json ?? {}) as Partial<Manifest>
  if (format !== 'bothy-backup' || (version !== 1 && version !== 2))
    throw new BackupFault(`${MANIFEST} is of a form that this bothy does not know.`)
  const read = v.safeParse(FORM, json)
  if (!read.success)
    throw new BackupFault(`${MANIFEST} has a field that bothy does not write: ${whereIn(read.issues[0])}.`)
  const manifest: Manifest = read.output
  const fault = contradictionIn(manifest)
  if (fault !== undefined) throw new BackupFault(`${MANIFEST} is not of one piece: ${fault}.`)
  return manifest
}

/** Names of keys may be anything: only those of the form are shown. */
function whereIn({ path = [] }: { path?: { key: unknown }[] | undefined }): string {
  const keys = path.map(({ key }) => (/^[a-z0-9_]{1,63}$/.test(String(key)) ? String(key) : '…'))
  return keys.slice(0, 4).join('.') || 'the whole'
}

function contradictionIn({ version, id, encryption, tables, secrets, parts }: Manifest): string | undefined {
  if (version === 2 && id === undefined) return 'it has no id'
  if (secrets !== null && encryption === null) return 'it has secrets without encryption'
  for (const { name, columns, types, part } of tables) {
    if (part !== tablePart(name)) return `the part of the table ${name} has another name`
    if (new Set(columns).size < columns.length) return `the table ${name} has a column twice`
    if (version === 2 && types === undefined) return `the table ${name} has no types`
    if (types !== undefined && types.length !== columns.length) return `the table ${name} lacks types`
  }
  const expected = [...tables.map(({ part }) => part), NEWEST, POOL_LIST, NAME_LIST, SETTINGS]
  if (secrets !== null) expected.push(SECRETS)
  const there = parts.map(({ path }) => path)
  if (there.toSorted().join() !== expected.toSorted().join() || new Set(there).size < there.length)
    return 'its parts are not those of its tables'
  if (version === 2 && parts.some(part => part.content_bytes === undefined))
    return 'a part has no size of its content'
  const bomb = parts.find(part => (part.content_bytes ?? 0) > mostContent(part))
  if (bomb) return `${bomb.path} would unpack to more than ${HIGHEST_RATIO} times its size`
}

/** Bytes to which a part may unpack, whatever its manifest says. */
export const mostContent = ({ bytes }: BackupPart): number => bytes * HIGHEST_RATIO + ALWAYS_ALLOWED

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BackupFault(`${MANIFEST} is no JSON.`)
  }
}

const checksumOf = (text: string) => `${createHash('sha256').update(text).digest('hex')}  ${MANIFEST}\n`
