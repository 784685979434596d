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

/** The newest fifty living messages that the viewer may read and that fit all filters; none without a filter. */
export async function search(
  stores: Stores,
  viewer: Username,
  filters: SearchFilters,
): Promise<SearchResultPayload[]> {
  const values: unknown[] = readableChannelsValues(stores, [viewer])
  const conditions = conditionsOf(filters, value => `$${values.push(value)}`)
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

function conditionsOf(filters: SearchFilters, parameter: (value: unknown) => string): string[] {
  const conditions: string[] = []
  if (filters.q) conditions.push(`message.content ilike ${parameter(`%${literal(filters.q)}%`)}`)
  if (filters.from) conditions.push(`lower(message.sender) = lower(${parameter(filters.from)})`)
  if (filters.channel) conditions.push(`message.channel = ${parameter(filters.channel)}`)
  if (filters.start !== undefined) conditions.push(`message.ts >= ${parameter(filters.start)}`)
  if (filters.end !== undefined) conditions.push(`message.ts < ${parameter(filters.end)}`)
  if (filters.has === 'image') conditions.push(String.raw`message.filename ~ '\.(jpe?g|png|gif|webp)$'`)
  if (filters.has === 'file') conditions.push('message.filename is not null')
  if (filters.has === 'link') conditions.push(`message.content ~* 'https?://'`)
  // By itself it is a page of nothing.
  if (conditions.length > 0 && filters.beforeId !== undefined) {
    conditions.push(
      `(message.ts, message.id) < (select ts, id from messages where id = ${parameter(filters.beforeId)})`,
    )
  }
  return conditions
}

/** `%`, `_` and `\` mean themselves. */
function literal(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
