import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { READABLE_PUBLIC_CHANNELS } from '#shared/access/public-channels.ts'
import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import { READ_TS } from '#shared/collections/unread.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { Both, HasKind, IsKind, SearchProblem, SearchQuery } from '#shared/domain/search-query.ts'
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

/** A place in the order of results: by time, then by id. */
export interface Position {
  ts: Seconds
  id: number
}

export interface SearchOrder {
  sort: 'newest' | 'oldest'
  /** Results come after this place. */
  after: Position | undefined
}

export interface Statement {
  sql: string
  values: unknown[]
}

/** The accounts of names in lower case, also of former names, by that name. */
export async function findPeople(db: Db, names: string[]): Promise<Map<string, Username>> {
  const { rows } = await db.query<{ key: string; username: Username }>(
    `select key, account_named(key) as username
       from unnest($1::text[]) as key
      where account_named(key) is not null`,
    [names],
  )
  return new Map(rows.map(({ key, username }) => [key, username]))
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

/**
 * True for each word with a trigram that the index knows. The database's locale decides: under `C` only ASCII has
 * trigrams.
 */
export async function haveTrigrams(db: Db, words: string[]): Promise<boolean[]> {
  if (words.length === 0) return []
  const { rows } = await db.query<{ hasTrigram: boolean }>(
    `select array_to_string(array(
              select case when show_trgm(character) = '{}' then ' ' else 'x' end
                from unnest(string_to_array(word, null)) with ordinality as one (character, place)
               order by place), '') like '%xxx%' as "hasTrigram"
       from unnest($1::text[]) with ordinality as asked (word, at)
      order by at`,
    [words],
  )
  return rows.map(row => row.hasTrigram)
}

/** The messages that a search looks at before its remaining conditions: an index range, in the order of results. */
export interface Scan {
  query: SearchQuery
  names: Resolved
  order: SearchOrder
  /** The parameters of READABLE_CHANNELS. */
  readable: [viewers: Username[], channels: ChannelId[]]
}

/**
 * The first `most` hits by id and time. With `isIndexed`, a word leads to the messages by trigrams; otherwise at most
 * `looked` messages are scanned.
 */
export function hitsStatement(scan: Scan, isIndexed: boolean, most: number, looked: number): Statement {
  const { direction } = directionOf(scan.order)
  const values: unknown[] = [...scan.readable]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const place = placeConditions(scan, parameter).join(' and ')
  const columns =
    'message.id, message.channel, message.sender, message.ts, message.filename, message.reply_to_id, message.edited'
  const source = isIndexed
    ? `(select ${columns}, text.content
          from message_texts text
          join messages message on message.id = text.message_id
         where ${place})`
    : `(select ${columns}, message.content
          from messages message
         where ${place}
         order by message.ts ${direction}, message.id ${direction}
         limit ${parameter(looked)})`
  const conditions = [...nameConditions(scan.names, parameter), ...contentConditions(scan, parameter)]
  return {
    sql: `select message.id, message.ts
       from ${source} message
       join (${READABLE_CHANNELS}) readable
         on readable.channel = message.channel and message.ts >= readable.history_start
       ${isAboutUnread(scan.query) ? MARKERS : ''}
      where ${conditions.length > 0 ? conditions.join('\n        and ') : 'true'}
      order by message.ts ${direction}, message.id ${direction}
      limit ${parameter(most)}`,
    values,
  }
}

/** The place of the last message that a scan of `looked` messages reaches; no row if it reaches all. */
export function scanEndStatement(scan: Scan, looked: number): Statement {
  const { direction } = directionOf(scan.order)
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const place = placeConditions(scan, parameter).join(' and ')
  const order = `order by message.ts ${direction}, message.id ${direction}`
  // Reads a second row: without it the scan is complete.
  return {
    sql: `select ts
            from (select message.ts, message.id
                    from messages message
                   where ${place}
                   ${order}
                  offset ${parameter(looked - 1)}
                   limit 2) message
           ${order}`,
    values,
  }
}

export interface HitRow {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  filename: string | null
  ts: Seconds
}

/** Reads the shown fields of hits, in any order. */
export async function readHits(db: Db, ids: number[]): Promise<HitRow[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<HitRow>(
    `select id, channel, ${SHOWN_SENDER} as sender, content, filename, ts
       from messages message
      where id = any($1)`,
    [ids],
  )
  return rows
}

const directionOf = ({ sort }: SearchOrder) =>
  sort === 'newest'
    ? ({ direction: 'desc', beyond: '<' } as const)
    : ({ direction: 'asc', beyond: '>' } as const)

type Parameter = (value: unknown) => string

/** Conditions that one range of an index serves, so that a bounded scan passes over little else. */
function placeConditions({ query, names, order }: Scan, parameter: Parameter): string[] {
  const conditions = ['message.deleted = 0', IS_NOT_REMOVED]
  const { senders, channels } = names
  if (senders.isFiltered && senders.yes.length === 1)
    conditions.push(`lower(message.sender) = ${parameter(senders.yes[0])}`)
  if (channels.isFiltered && channels.yes.length === 1)
    conditions.push(`message.channel = ${parameter(channels.yes[0])}`)
  if (query.start !== undefined) conditions.push(`message.ts >= ${parameter(query.start)}`)
  if (query.end !== undefined) conditions.push(`message.ts < ${parameter(query.end)}`)
  if (query.has.yes.some(kind => kind === 'image' || kind === 'file'))
    conditions.push('message.filename is not null')
  if (order.after) {
    const { ts, id } = order.after
    // The first condition is for the index alone.
    conditions.push(
      `message.ts ${directionOf(order).beyond}= ${parameter(ts)}`,
      `(message.ts, message.id) ${directionOf(order).beyond} (${parameter(ts)}, ${parameter(id)})`,
    )
  }
  return conditions
}

function nameConditions({ senders, channels }: Resolved, parameter: Parameter): string[] {
  const conditions: string[] = []
  if (senders.isFiltered && senders.yes.length !== 1)
    conditions.push(`lower(message.sender) = any(${parameter(senders.yes)})`)
  if (senders.no.length > 0) conditions.push(`lower(message.sender) <> all(${parameter(senders.no)})`)
  if (channels.isFiltered && channels.yes.length !== 1)
    conditions.push(`message.channel = any(${parameter(channels.yes)})`)
  if (channels.no.length > 0) conditions.push(`message.channel <> all(${parameter(channels.no)})`)
  return conditions
}

function contentConditions({ query }: Scan, parameter: Parameter): string[] {
  const like = (word: string) => `message.content ilike ${parameter(`%${literal(word)}%`)}`
  const has = (kind: HasKind) => HAS[kind]
  const is = (kind: IsKind) => IS[kind]
  return [
    ...query.words.yes.map(like),
    ...query.words.no.map(word => `(${like(word)}) is not true`),
    ...query.has.yes.map(has),
    ...query.has.no.map(kind => `(${has(kind)}) is not true`),
    ...query.is.yes.map(is),
    ...query.is.no.map(kind => `(${is(kind)}) is not true`),
    ...query.notWithin.map(
      ({ start, end }) => `not (message.ts >= ${parameter(start)} and message.ts < ${parameter(end)})`,
    ),
  ]
}

const HAS: Record<HasKind, string> = {
  image: String.raw`message.filename ~ '\.(jpe?g|png|gif|webp)$'`,
  file: 'message.filename is not null',
  link: `message.content ~* 'https?://'`,
  reaction: 'exists (select from reactions where message_id = message.id)',
  // A fence at the beginning of a line, or a pair of backticks within one.
  code: String.raw`message.content ~ '(^|\n)\s*${'```'}|${'`[^`\\n]+`'}'`,
}

const isAboutUnread = ({ is }: SearchQuery) => [...is.yes, ...is.no].includes('unread')

const MARKERS = `left join read_watermarks marker
         on marker.channel = readable.channel and marker.username = readable.viewer`

/** The viewer: READABLE_CHANNELS has its parameters first. */
const VIEWER = '($1::text[])[1]'

const IS: Record<IsKind, string> = {
  dm: `message.channel like 'dm:%'`,
  reply: 'message.reply_to_id is not null',
  edited: 'message.edited = 1',
  mention: `message.sender <> ${VIEWER}
        and exists (
          select from message_mentions mention
           where mention.message_id = message.id
             and mention.username in (${VIEWER}, '${EVERYONE}'))`,
  unread: `message.sender <> ${VIEWER}
        and message.ts > ${READ_TS}`,
}

/** Escapes `%`, `_` and `\`. */
function literal(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
