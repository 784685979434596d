import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { SearchResultPayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
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

/** A word of which no index knows is looked for in so many, whoever wrote them and wherever. */
const LOOKED_THROUGH = 200_000

/** The newest fifty living messages that the viewer may read and that fit all filters; none without a filter. */
export async function search(
  stores: Stores,
  viewer: Username,
  filters: SearchFilters,
  lookedThrough = LOOKED_THROUGH,
): Promise<SearchResultPayload[]> {
  const values: unknown[] = readableChannelsValues(stores, [viewer])
  const bounded = await bound(stores, filters, lookedThrough)
  const conditions = conditionsOf(bounded, value => `$${values.push(value)}`)
  if (conditions.length === 0) return []
  const { rows } = await stores.db.query<SearchResultPayload>(
    `select message.id, message.channel, message.sender, message.content, message.ts
       from messages message
       join (${READABLE_CHANNELS}) readable
         on readable.channel = message.channel and message.ts >= readable.history_start
      where message.deleted = 0
        and ${conditions.join('\n        and ')}
      order by message.ts desc, message.id desc
      limit ${MOST_RESULTS}`,
    values,
  )
  return rows
}

/**
 * A word that no index helps with begins at the last of so many messages, newest first, of the person, channel and time that are
 * asked for. Asked in a statement of its own, because one that is planned without knowing the time reads the whole table.
 */
async function bound(stores: Stores, filters: SearchFilters, lookedThrough: number): Promise<SearchFilters> {
  if (!filters.q || HAS_TRIGRAM.test(filters.q)) return filters
  const values: unknown[] = []
  const where = ['message.deleted = 0', ...placeConditions(filters, value => `$${values.push(value)}`)]
  const { rows } = await stores.db.query<{ ts: Seconds }>(
    `select message.ts
       from messages message
      where ${where.join(' and ')}
      order by message.ts desc
     offset ${lookedThrough - 1}
      limit 1`,
    values,
  )
  const [oldest] = rows
  return oldest ? { ...filters, start: Math.max(oldest.ts, filters.start ?? oldest.ts) } : filters
}

/** Three letters or digits in a row: what the index of contents is made of (0004_message_search.sql). */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u

/** Those by which an index goes to where it begins. */
function placeConditions(filters: SearchFilters, parameter: (value: unknown) => string): string[] {
  const conditions: string[] = []
  if (filters.from) conditions.push(`lower(message.sender) = lower(${parameter(filters.from)})`)
  if (filters.channel) conditions.push(`message.channel = ${parameter(filters.channel)}`)
  if (filters.end !== undefined) conditions.push(`message.ts < ${parameter(filters.end)}`)
  if (filters.beforeId !== undefined) {
    conditions.push(
      `(message.ts, message.id) < (select ts, id from messages where id = ${parameter(filters.beforeId)})`,
    )
  }
  return conditions
}

function conditionsOf(filters: SearchFilters, parameter: (value: unknown) => string): string[] {
  const conditions: string[] = []
  if (filters.q) conditions.push(`message.content ilike ${parameter(`%${literal(filters.q)}%`)}`)
  if (filters.start !== undefined) conditions.push(`message.ts >= ${parameter(filters.start)}`)
  if (filters.has === 'image') conditions.push(String.raw`message.filename ~ '\.(jpe?g|png|gif|webp)$'`)
  if (filters.has === 'file') conditions.push('message.filename is not null')
  if (filters.has === 'link') conditions.push(`message.content ~* 'https?://'`)
  // An id by itself is a page of nothing.
  const { beforeId: _, ...place } = filters
  const isFiltered = conditions.length > 0 || placeConditions(place, String).length > 0
  return isFiltered ? [...conditions, ...placeConditions(filters, parameter)] : []
}

/** `%`, `_` and `\` mean themselves. */
function literal(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
