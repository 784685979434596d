import { CHANNELS_OF_READERS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { SearchQuery } from '#shared/domain/search-query.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { prepared } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { MOST_CHANNELS } from './places.ts'
import type { Parameter } from './queries.ts'

/** Conditions of a search on channels, besides that the viewer may read them. */
export interface ChannelFilter {
  /** Undefined: all. */
  yes: ChannelId[] | undefined
  no: ChannelId[]
  is: SearchQuery['is']
}

export interface Reach extends ChannelFilter {
  /** Parameters of CHANNELS_OF_READERS, the first of a statement. */
  values: readonly [Username[], ChannelId[]]
  /** All channels that the search may read; undefined if these are more than 64. */
  few: ChannelId[] | undefined
}

/** The channels that a search may read. A list of thousands would take longer than most searches, so nobody has it. */
export async function reachOf(stores: Stores, viewer: Username, filter: ChannelFilter): Promise<Reach> {
  const reach = { ...filter, values: readableChannelsValues(stores, [viewer]), few: undefined }
  const values: unknown[] = [...reach.values]
  const sql = readableSql(reach, value => `$${values.push(value)}`)
  const { rows } = await stores.db.query<{ channel: ChannelId }>(
    prepared(`select channel from (${sql}) readable limit ${MOST_CHANNELS + 1}`),
    values,
  )
  return { ...reach, few: rows.length > MOST_CHANNELS ? undefined : rows.map(row => row.channel) }
}

/** SQL for (channel, history_start). `among`: SQL for an array of channels. */
export function readableSql({ yes, no, is }: ChannelFilter, parameter: Parameter, among?: string): string {
  const conditions = [
    ...(among === undefined ? [] : [`channel = any(${among})`]),
    ...(yes === undefined ? [] : [`channel = any(${parameter(yes)})`]),
    ...(no.length === 0 ? [] : [`channel <> all(${parameter(no)})`]),
    ...(is.yes.includes('dm') ? [`channel like 'dm:%'`] : []),
    ...(is.no.includes('dm') ? [`channel not like 'dm:%'`] : []),
  ]
  return `select channel, history_start from (${CHANNELS_OF_READERS}) readable
           where ${conditions.join(' and ') || 'true'}`
}
