import { SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { READABLE_PUBLIC_CHANNELS } from '#shared/access/public-channels.ts'
import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { Both, SearchProblem } from '#shared/domain/search-query.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The filters of a query by name, with stored names and ids. Undefined without a filter; empty matches nothing. */
export interface Resolved {
  /** Stored senders in lower case. */
  senders: Both<string> & { isFiltered: boolean }
  channels: Both<ChannelId> & { isFiltered: boolean }
  problems: SearchProblem[]
}

/** Adds a value to the parameters of a statement, and returns its SQL. */
export type Parameter = (value: unknown) => string

/** A place in the order of results: by time, then by id. */
export interface Position {
  ts: Seconds
  id: number
}

/** Returns the names, in lower case, of accounts that are being deleted. */
export async function leavingNames(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select lower(username) as name from account_deletions')
  return rows.map(row => row.name)
}

/** The channels that the viewer may read with this id or name, regardless of case. */
export async function findChannelsNamed(
  stores: Stores,
  viewer: Username,
  name: string,
): Promise<ChannelId[]> {
  const { rows } = await stores.db.query<{ channel: ChannelId }>(
    `select readable.channel
       from (${READABLE_PUBLIC_CHANNELS}) readable
       left join channel_properties properties on properties.channel = readable.channel
      where lower(readable.channel) = lower($3) or lower(properties.name) = lower($3)
     union all
     select channel
       from (select 'private:' || private.id as channel
               from private_channel_members member
               join private_channels private on private.id = member.channel_id
              where member.username = $1[1]
                and lower(private.name) = lower($3)
              order by private.id) private`,
    [...readableChannelsValues(stores, [viewer]), name],
  )
  return rows.map(row => row.channel)
}

/** The original name of a message's file. Older images have none. */
export const FILE_NAME = `(
  select file.original_name
    from files file
   where file.name = message.filename and file.original_name <> file.name)`

export interface HitRow {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  filename: string | null
  /** The original name of the file; null for older images. */
  file_name: string | null
  thread: number | null
  ts: Seconds
}

/** Reads the shown fields of hits, in any order. */
export async function readHits(db: Db, ids: number[]): Promise<HitRow[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<HitRow>(
    `select id, channel, ${SHOWN_SENDER} as sender, content, filename, ${FILE_NAME} as file_name,
            thread_id as thread, ts
       from messages message
      where id = any($1)`,
    [ids],
  )
  return rows
}
