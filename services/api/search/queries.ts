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
 * Ways to the messages: by the trigrams of texts and file names, by those of file names alone, or by a scan of at most
 * so many messages.
 */
export type Source = 'texts' | 'names' | { scan: number }

/** The first `most` hits by id and time. */
export function hitsStatement(scan: Scan, source: Source, most: number): Statement {
  const values: unknown[] = [...scan.readable]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const shared = {
    place: placeConditions(scan, parameter).join(' and '),
    conditions: [...nameConditions(scan.names, parameter), ...contentConditions(scan, parameter)],
    end: `${orderOf(scan)} limit ${parameter(most)}`,
  }
  const from = (source: string, words: string[] = []) => hitsSql(scan, source, { ...shared, words })
  if (typeof source === 'object') {
    const place = `${shared.place} ${orderOf(scan)} limit ${parameter(source.scan)}`
    return {
      sql: from(scannedSql(scan, place), wordConditions(scan, 'message.words', parameter)),
      values,
    }
  }
  const names = from(`
    select ${COLUMNS}
      from files file
      join messages message on message.id = file.message_id
     where ${[
       shared.place,
       'file.original_name <> file.name',
       ...wordConditions(scan, 'file.original_name', parameter),
       ...scan.query.name.yes.map(name => likeSql('file.original_name', name, parameter)),
     ].join(' and ')}`)
  if (source === 'names') return { sql: names, values }
  const texts = from(`
    select ${COLUMNS}
      from message_texts text
      join messages message on message.id = text.message_id
     where ${[shared.place, ...wordConditions(scan, 'text.content', parameter)].join(' and ')}`)
  // Each part with its own order and limit, for which the planner has indexes.
  return { sql: `select id, ts from ((${texts}) union all (${names})) message ${shared.end}`, values }
}

const orderOf = (scan: Scan) => {
  const { direction } = directionOf(scan.order)
  return `order by message.ts ${direction}, message.id ${direction}`
}

interface HitsParts {
  conditions: string[]
  words: string[]
  /** Order and limit. */
  end: string
}

function hitsSql({ query }: Scan, source: string, { conditions, words, end }: HitsParts): string {
  const all = [...conditions, ...words]
  return `select message.id, message.ts
       from (${source}) message
       join (${READABLE_CHANNELS}) readable
         on readable.channel = message.channel and message.ts >= readable.history_start
       ${isAboutUnread(query) ? MARKERS : ''}
      where ${all.length > 0 ? all.join('\n        and ') : 'true'}
      ${end}`
}

const COLUMNS = `
  message.id, message.channel, message.sender, message.ts, message.filename, message.reply_to_id, message.edited,
  message.content, message.thread_id, message.extra`

/** The original name of a message's file. Older images have none. */
const FILE_NAME = `(
  select file.original_name
    from files file
   where file.name = message.filename and file.original_name <> file.name)`

/** `words`: the text of a message, or the name of its file. A row has one of both. */
function scannedSql({ query: { words } }: Scan, place: string): string {
  const name = `case when message.filename is not null then ${FILE_NAME} end`
  const hasWords = words.yes.length + words.no.length > 0
  return `
    select ${COLUMNS}, ${hasWords ? `coalesce(nullif(message.content, ''), ${name})` : 'null::text'} as words
      from messages message
     where ${place}`
}

/** The place of the last message that a scan of `looked` messages reaches; no row if it reaches all. */
export function scanEndStatement(scan: Scan, looked: number): Statement {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const place = placeConditions(scan, parameter).join(' and ')
  const order = orderOf(scan)
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

const directionOf = ({ sort }: SearchOrder) =>
  sort === 'newest'
    ? ({ direction: 'desc', beyond: '<' } as const)
    : ({ direction: 'asc', beyond: '>' } as const)

const OF_FILES: ReadonlySet<HasKind> = new Set(['file', 'image', 'video', 'audio', 'pdf'])

type Parameter = (value: unknown) => string

/** Conditions that one range of an index serves, so that a bounded scan passes over little else. */
function placeConditions({ query, names, order, readable }: Scan, parameter: Parameter): string[] {
  const conditions = ['message.deleted = 0', IS_NOT_REMOVED]
  const { senders, channels } = names
  if (senders.isFiltered && senders.yes.length === 1)
    conditions.push(`lower(message.sender) = ${parameter(senders.yes[0])}`)
  if (channels.isFiltered && channels.yes.length === 1)
    conditions.push(`message.channel = ${parameter(channels.yes[0])}`)
  if (query.start !== undefined) conditions.push(`message.ts >= ${parameter(query.start)}`)
  if (query.end !== undefined) conditions.push(`message.ts < ${parameter(query.end)}`)
  if (query.name.yes.length > 0 || query.has.yes.some(kind => OF_FILES.has(kind)))
    conditions.push('message.filename is not null')
  // Lists of few messages.
  if (query.has.yes.includes('pin')) conditions.push('message.id = any(array(select message_id from pins))')
  if (query.is.yes.includes('saved')) {
    const saved = `select message_id from saved where username = any(${parameter(readable[0])})`
    conditions.push(`message.id = any(array(${saved}))`)
  }
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
  const has = (kind: HasKind) => HAS[kind]
  const is = (kind: IsKind) => IS[kind]
  const named = (name: string) => likeSql(FILE_NAME, name, parameter)
  return [
    ...query.name.yes.map(named),
    ...query.name.no.map(name => `(${named(name)}) is not true`),
    ...query.has.yes.map(has),
    ...query.has.no.map(kind => `(${has(kind)}) is not true`),
    ...query.is.yes.map(is),
    ...query.is.no.map(kind => `(${is(kind)}) is not true`),
    ...query.notWithin.map(
      ({ start, end }) => `not (message.ts >= ${parameter(start)} and message.ts < ${parameter(end)})`,
    ),
  ]
}

/** All wanted words and no unwanted one are in the text. */
function wordConditions({ query: { words } }: Scan, text: string, parameter: Parameter): string[] {
  return [
    ...words.yes.map(word => likeSql(text, word, parameter)),
    ...words.no.map(word => `(${likeSql(text, word, parameter)}) is not true`),
  ]
}

const likeSql = (text: string, word: string, parameter: Parameter) =>
  `${text} ilike ${parameter(`%${literal(word)}%`)}`

const hasFileOf = (types: string) =>
  `exists (select from files file where file.name = message.filename and file.type like '${types}')`

const HAS_REPLIES = `exists (
  select from messages reply
   where reply.thread_id = message.id and reply.deleted = 0
     and reply.sender not in (select username from account_deletions where kind = 'hard'))`

const HAS: Record<HasKind, string> = {
  // A picture that cannot be decoded is stored as another file.
  image: String.raw`message.filename ~ '^[0-9a-f]{32}\.(jpe?g|png|gif|webp)$'`,
  file: 'message.filename is not null',
  video: hasFileOf('video/%'),
  audio: hasFileOf('audio/%'),
  pdf: hasFileOf('application/pdf'),
  link: `message.content ~* 'https?://'`,
  reaction: 'exists (select from reactions where message_id = message.id)',
  pin: 'exists (select from pins where message_id = message.id)',
  thread: HAS_REPLIES,
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
  saved: `exists (select from saved where username = ${VIEWER} and message_id = message.id)`,
  thread: `(message.thread_id is not null or ${HAS_REPLIES})`,
  bot: `(message.extra ? 'bot'
        or exists (select from users author where author.username = message.sender and author.kind = 'bot'))`,
  unread: `message.sender <> ${VIEWER}
        and message.ts > ${READ_TS}`,
}

/** Escapes `%`, `_` and `\`. */
function literal(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
