import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import { findReadableMessage } from '#shared/access/readable-message.ts'
import type { SearchResultPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { DELETED_SENDER } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Interface 8. */
const MOST_RESULTS = 50

export interface SearchFilters {
  q?: string | undefined
  from?: string | undefined
  /** A canonical id that the viewer may read. */
  channel?: ChannelId | undefined
  start?: Seconds | undefined
  end?: Seconds | undefined
  has?: 'image' | 'link' | 'file' | undefined
  beforeId?: number | undefined
}

/** Messages scanned at most when the trigram index cannot be used: the newest that match the other filters. */
const LOOKED_THROUGH = 200_000

/** The newest fifty undeleted messages that the viewer may read and that match all filters; none without a filter. */
export async function search(
  stores: Stores,
  viewer: Username,
  filters: SearchFilters,
  lookedThrough = LOOKED_THROUGH,
): Promise<SearchResultPayload[]> {
  if (!isFiltered(filters)) return []
  // A cursor that the viewer cannot read returns an empty page, so that it does not reveal its time.
  const before =
    filters.beforeId === undefined
      ? undefined
      : await findReadableMessage(stores, viewer, String(filters.beforeId))
  if (filters.beforeId !== undefined && before === undefined) return []

  const isIndexed = filters.q !== undefined && (await hasTrigram(stores.db, filters.q))
  const values: unknown[] = readableChannelsValues(stores, [viewer])
  const parameter = (value: unknown) => `$${values.push(value)}`
  const senders = filters.from === undefined ? undefined : await sendersShownAs(stores.db, filters.from)
  const place = placeConditions(filters, senders, before, parameter).join(' and ')
  const content = contentConditions(filters, parameter)
  // A lazy scan: newest first, until there are enough.
  const looked = isIndexed
    ? `(select message.id, message.channel, ${SHOWN_SENDER} as sender, text.content, message.ts, message.filename
          from message_texts text
          join messages message on message.id = text.message_id
         where ${place})`
    : `(select id, channel, ${SHOWN_SENDER} as sender, content, ts, filename
          from messages message
         where ${place}
         order by ts desc
         limit ${parameter(lookedThrough)})`
  const { rows } = await stores.db.query<SearchResultPayload>(
    `select message.id, message.channel, message.sender, message.content, message.ts
       from ${looked} message
       join (${READABLE_CHANNELS}) readable
         on readable.channel = message.channel and message.ts >= readable.history_start
      where ${content.length > 0 ? content.join(' and ') : 'true'}
      order by message.ts desc, message.id desc
      limit ${MOST_RESULTS}`,
    values,
  )
  return rows
}

/**
 * The senders, in lower case, that readers see under a name: an account under deletion matches `Deleted User`, and no
 * longer its own name.
 */
async function sendersShownAs(db: Db, from: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select lower(username) as name from account_deletions')
  const leaving = rows.map(row => row.name)
  const name = from.toLowerCase()
  if (name === DELETED_SENDER.toLowerCase()) return [name, ...leaving]
  return leaving.includes(name) ? [] : [name]
}

/** A cursor alone is not a filter. */
function isFiltered({ beforeId: _, ...filters }: SearchFilters) {
  return Object.values(filters).some(value => value !== undefined)
}

/**
 * True if a word contains a trigram that the index knows. The database's locale decides: under `C` only ASCII has
 * trigrams.
 */
async function hasTrigram(db: Db, word: string): Promise<boolean> {
  const { rows } = await db.query<{ hasTrigram: boolean }>(
    `select array_to_string(array(
              select case when show_trgm(character) = '{}' then ' ' else 'x' end
                from unnest(string_to_array($1, null)) with ordinality as one (character, place)
               order by place), '') like '%xxx%' as "hasTrigram"`,
    [word],
  )
  return rows[0]!.hasTrigram
}

/** Conditions that an index range can serve. */
function placeConditions(
  { channel, start, end, has }: SearchFilters,
  senders: string[] | undefined,
  before: { ts: Seconds; id: number } | undefined,
  parameter: (value: unknown) => string,
): string[] {
  const conditions = ['message.deleted = 0', IS_NOT_REMOVED]
  // With a single name, the index returns rows newest first.
  if (senders?.length === 1) conditions.push(`lower(message.sender) = ${parameter(senders[0])}`)
  else if (senders) conditions.push(`lower(message.sender) = any(${parameter(senders)})`)
  if (channel !== undefined) conditions.push(`message.channel = ${parameter(channel)}`)
  if (start !== undefined) conditions.push(`message.ts >= ${parameter(start)}`)
  if (end !== undefined) conditions.push(`message.ts < ${parameter(end)}`)
  if (has === 'image' || has === 'file') conditions.push('message.filename is not null')
  if (before) conditions.push(`(message.ts, message.id) < (${parameter(before.ts)}, ${parameter(before.id)})`)
  return conditions
}

function contentConditions({ q, has }: SearchFilters, parameter: (value: unknown) => string): string[] {
  const conditions: string[] = []
  if (q !== undefined) conditions.push(`message.content ilike ${parameter(`%${literal(q)}%`)}`)
  if (has === 'image') conditions.push(String.raw`message.filename ~ '^[0-9a-f]{32}\.(jpe?g|png|gif|webp)$'`)
  if (has === 'link') conditions.push(`message.content ~* 'https?://'`)
  return conditions
}

/** Escapes `%`, `_` and `\`. */
function literal(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
