/** The statements of a bounded scan (bounded-scan.ts). */
import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { isAscii } from '#shared/domain/fold.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { type Db, prepared } from '#shared/stores/postgres.ts'
import {
  afterConditions,
  contentConditions,
  directionOf,
  firstValues,
  foldedConditions,
  IS_READABLE,
  isAboutUnread,
  isIn,
  MARKERS,
  placeConditions,
  type Scan,
  senderConditions,
  starts,
  wordConditions,
  wordsLeft,
} from './conditions.ts'
import { spanKeys } from './places.ts'
import { FILE_NAME, type Parameter, type Position } from './queries.ts'
import { readableSql } from './readable.ts'
import { trigramsOf } from './trigrams.ts'
import type { Word } from './words.ts'

/** The trigrams of texts and file names, or of file names alone. */
export type Trigrams = 'texts' | 'names'

/** A span of time in the order of results: beyond a place, up to a time. */
export interface Segment {
  after: Position | undefined
  /** Newest first: inclusive; oldest first: exclusive. Undefined: to the end. */
  until: Seconds | undefined
}

const COLUMNS = `
  message.id, message.channel, message.sender, message.ts, message.filename, message.reply_to_id, message.edited,
  message.content, message.thread_id, message.extra`

/** The text of a message, or the name of its file, folded and as written. A row has one of both. */
const WORDS = (inFileNames: boolean) => {
  const folded = `case when octet_length(message.content) = char_length(message.content) then message.content
                       else (select text.content from message_texts text where text.message_id = message.id) end`
  const name = `case when message.filename is not null then ${FILE_NAME} end`
  return inFileNames
    ? `coalesce(nullif(${folded}, ''), search_text(${name})) as folded,
       coalesce(nullif(message.content, ''), ${name}) as original`
    : `${folded} as folded, message.content as original`
}

/** Folded texts have lower case, those of ASCII need no locale for it: it takes three times as long. */
const FOLDED = ({ folded }: Word) => (isAscii(folded) ? 'message.folded collate "C"' : 'message.folded')

const orderOf = (scan: Scan) => {
  const { direction } = directionOf(scan)
  return `order by message.ts ${direction}, message.id ${direction}`
}

const conditionsOf = (scan: Scan, parameter: Parameter) => [
  ...senderConditions(scan.names, parameter),
  ...contentConditions(scan, parameter),
]

const all = (conditions: string[]) => (conditions.length === 0 ? 'true' : conditions.join('\n        and '))

export interface Walk {
  /** Messages to read. */
  rows: number
  /** Hits to return. */
  most: number
  /** Reads the messages of each channel up to here, for a viewer who may read few of all; four times `rows` at most. */
  floor: Floor | undefined
}

export interface Walked {
  hits: Position[]
  /** The last place read; undefined if nothing is beyond it. */
  end: Position | undefined
  walked: number
  /** About a hundred of these, and those of them that the viewer may read. */
  sampled: number
  readable: number
  /** Messages of all channels between the first and the last one read, about. */
  passed: number
}

/** Messages of a walk that tell which share of them the viewer may read. */
const SAMPLED = 100

/** Reads messages of the place, one after the other, and returns the hits among them. */
export async function walk(db: Db, scan: Scan, after: Position | undefined, wanted: Walk): Promise<Walked> {
  const { rows, most, floor } = wanted
  const values = firstValues(scan)
  const parameter = (value: unknown) => `$${values.push(value)}`
  const place = placeConditions(scan, parameter)
  place.push(...segmentConditions(scan, { after, until: floor?.ts }, parameter))
  const hasWords = scan.words.yes.length + scan.words.no.length > 0
  const limit = floor ? 4 * rows : rows
  const messages = floor
    ? `(${readableSql(scan.reach, parameter)}) place
        cross join lateral (
              select ${COLUMNS}
                from messages message
               where message.channel = place.channel and ${all(place)}) message`
    : `messages message
        where ${all(place)}`
  const conditions = [
    ...conditionsOf(scan, parameter),
    ...wordConditions(scan, FOLDED, 'message.original', parameter),
  ]
  const { rows: found } = await db.query<Position & Partial<Omit<Walked, 'hits' | 'end'>>>(
    `with looked as materialized (
       select ${COLUMNS}
         from ${messages}
        ${orderOf(scan)}
        limit ${parameter(limit)}),
     matching as materialized (
       select message.id, message.channel, message.ts
         from (select message.*${hasWords ? `, ${WORDS(scan.inFileNames)}` : ''}
                 from looked message
               offset 0) message
         ${isAboutUnread(scan.query) ? MARKERS : ''}
        where ${all(conditions)}),
     sampled as materialized (
       select channel, ts from looked where id % ${Math.max(1, Math.floor(limit / SAMPLED))} = 0),
     ${starts(scan, 'select channel from matching union select channel from sampled', parameter)}
     (select message.id, message.ts, null::bigint as walked, null::bigint as sampled, null::bigint as readable,
             null::bigint as passed
        from matching message
       where ${IS_READABLE}
       ${orderOf(scan)}
       limit ${parameter(most)})
     union all
     (select last.id, last.ts, all_of.walked, (select count(*) from sampled),
             (select count(*) from sampled message where ${IS_READABLE}), all_of.passed
        from (select count(*) as walked, max(id) - min(id) + 1 as passed from looked) all_of
        left join (select id, ts
                     from looked message
                    order by message.ts ${opposite(scan)}, message.id ${opposite(scan)}
                    limit 1) last on true)`,
    values,
  )
  const { id, ts, walked = 0, sampled = 0, readable = 0, passed } = found.pop()!
  const isCut = walked === limit
  return {
    hits: found.map(hit => ({ id: hit.id, ts: hit.ts })),
    end: isCut ? { id, ts } : floor && { id: 0, ts: floor.ts },
    walked,
    sampled,
    readable,
    passed: passed ?? 0,
  }
}

const opposite = (scan: Scan) => (directionOf(scan).direction === 'desc' ? 'asc' : 'desc')

/** Reads the hits of a segment by the trigram index, in any order; of at most `limit` texts. */
export async function readTexts(
  db: Db,
  scan: Scan,
  trigrams: Trigrams,
  segment: Segment,
  most: number,
  limit: number,
): Promise<{ hits: Position[]; texts: number }> {
  const values = firstValues(scan)
  const parameter = (value: unknown) => `$${values.push(value)}`
  const parts = scan.inFileNames ? [namesOfFiles(scan, segment, parameter)] : []
  if (trigrams === 'texts') parts.push(isOfTexts(scan) ? TEXTS : textsOfMessages(scan, parameter))
  const conditions = all(conditionsOf(scan, parameter))
  const matching = parts.map(
    part => `
       (select message.id, message.channel, message.ts
          from (${part}) message
          ${isAboutUnread(scan.query) ? MARKERS : ''}
         where ${conditions})`,
  )
  const { rows } = await db.query<Position & { texts: number | null }>(
    `with texts as materialized (${trigrams === 'texts' ? textIds(scan, segment, limit, parameter) : "select 0 as id, '' as content, '' as channel, 0 as ts where false"}),
     matching as materialized (${matching.join(' union all ')}),
     ${starts(scan, 'select distinct channel from matching', parameter)}
     (select message.id, message.ts, null::bigint as texts
        from matching message
       where ${IS_READABLE}
       ${orderOf(scan)}
       limit ${parameter(most)})
     union all
     (select 0, 0, count(*) from texts)`,
    values,
  )
  const texts = rows.pop()!.texts!
  return { hits: rows.map(({ id, ts }) => ({ id, ts })), texts }
}

function namesOfFiles(scan: Scan, segment: Segment, parameter: Parameter): string {
  const { words, fileNames } = scan
  const folded = 'search_text(file.original_name)'
  return `
    select ${COLUMNS}
      from files file
      join messages message on message.id = file.message_id
     where ${all([
       ...placeConditions(scan, parameter),
       ...segmentConditions(scan, segment, parameter),
       // Implied, but the index of messages with files needs it.
       'message.filename is not null',
       'file.original_name <> file.name',
       ...wordConditions(scan, () => folded, 'file.original_name', parameter),
       ...fileNames.yes.map(one => isIn(one, folded, 'file.original_name', parameter)),
       ...(words.yes.length + fileNames.yes.length > 0 ? [] : ['false']),
     ])}`
}

/** The ids of the texts that the index finds, whoever may read them. */
function textIds(scan: Scan, segment: Segment, limit: number, parameter: Parameter): string {
  const { reach, query, sort } = scan
  const { after, until } = segment
  const keys = (places: string) => `text_places(message.channel, message.ts) && ${places}`
  const [from, to] =
    sort === 'newest'
      ? [until ?? query.start, after?.ts ?? query.end]
      : [after?.ts ?? query.start, until ?? query.end]
  const spans = from === undefined || to === undefined ? undefined : spanKeys(from, to)
  return `
    select message.id, message.content, message.channel, message.ts
      from (select message_id as id, content, channel, ts from message_texts) message
     where ${all([
       ...foldedConditions(scan, 'message.content', parameter),
       ...(spans ? [keys(`${parameter(spans)}::bigint[]`)] : []),
       ...(reach.few === undefined
         ? []
         : [
             keys(
               `array(select hashtextextended(one, 0) from unnest(${parameter(reach.few)}::text[]) as one)`,
             ),
           ]),
       ...segmentConditions(scan, segment, parameter),
     ])}
     limit ${parameter(limit)}`
}

/** All conditions are on texts: on words, channels and times. */
const isOfTexts = ({ query: { has, is, name, notWithin }, names: { senders }, words }: Scan) =>
  !senders.isFiltered &&
  [senders.no, has.yes, has.no, is.yes, is.no, name.yes, name.no, notWithin, words.no].every(
    list => list.length === 0,
  ) &&
  words.yes.every(word => word.accents === undefined)

/** Deleted messages have no text; those of an account under deletion still do. */
const TEXTS = `
    select id, channel, ts
      from texts
     where not exists (select from account_deletions where kind = 'hard')
        or (select ${IS_NOT_REMOVED} from messages message where message.id = texts.id)`

/** Lateral: a nested loop, whatever the planner expects of the words. */
const textsOfMessages = (scan: Scan, parameter: Parameter) => `
    select message.*
      from texts
     cross join lateral (
           select ${COLUMNS} from messages message
            where message.id = texts.id and ${all(placeConditions(scan, parameter))}
           offset 0) message
     where ${all(wordsLeft(scan, 'texts.content', 'message.content', parameter))}`

function segmentConditions(scan: Scan, { after, until }: Segment, parameter: Parameter): string[] {
  const { start, end } = scan.query
  const conditions = after ? afterConditions(scan, after, parameter) : []
  if (start !== undefined) conditions.push(`message.ts >= ${parameter(start)}`)
  if (end !== undefined) conditions.push(`message.ts < ${parameter(end)}`)
  if (until !== undefined)
    conditions.push(`message.ts ${scan.sort === 'newest' ? '>=' : '<'} ${parameter(until)}`)
  return conditions
}

/** Texts that the index would read to the end, by a sample of all. */
export interface Estimate {
  /** Texts with all trigrams of the words, in the channels whose keys the index uses. At least 1. */
  texts: number
  /** Messages in those channels. */
  inReach: number
  /** Messages of all channels. */
  messages: number
}

/** The same pages and rows for all searches, so that they stay in memory. */
const PAGES = 64
const ROWS_OF_PAGE = 16

const ESTIMATE = prepared(`
  with size as (
    select pg_relation_size(oid) / current_setting('block_size')::integer as pages,
           case when reltuples > 0 then reltuples::float8 end as rows
      from pg_class
     where oid = 'message_texts'::regclass),
  sample as materialized (
    select lower(content collate "C") as content
      from message_texts
     where ctid = any(array(
             select format('(%s,%s)', pages * place / ${PAGES}, line)::tid
               from size, generate_series(0, ${PAGES - 1}) as place, generate_series(1, ${ROWS_OF_PAGE}) as line
              where pages >= ${PAGES} or place < pages))),
  found as (
    select count(*) as sampled, count(*) filter (where content like all($1::text[])) as matching from sample)
  select sampled, matching,
         greatest(1, coalesce(rows, (select max(message_id) from message_texts), 0)) as messages,
         (select sum(message_count)::float8 from channels where id = any($2)) as "ofChannels"
    from found, size`)

export async function estimate(db: Db, scan: Scan): Promise<Estimate> {
  const { few } = scan.reach
  const { rows } = await db.query<{
    sampled: number
    matching: number
    messages: number
    ofChannels: number | null
  }>(ESTIMATE, [trigramsOf(scan.words.yes.map(word => word.folded)).map(one => `%${one}%`), few ?? []])
  const { sampled, matching, messages, ofChannels } = rows[0]!
  const inReach = few === undefined ? messages : Math.min(messages, ofChannels ?? 0)
  return { texts: Math.max(1, ((matching + 1) / (sampled + 1)) * inReach), inReach, messages }
}

/** Time about `messages` messages of all channels past `after`; undefined at the end. */
export interface Floor {
  ts: Seconds
}

export async function floorOf(
  db: Db,
  scan: Scan,
  after: Position | undefined,
  messages: number,
): Promise<Floor | undefined> {
  const isNewest = scan.sort === 'newest'
  const from =
    after?.ts ?? (isNewest ? scan.query.end : scan.query.start) ?? (isNewest ? Infinity : -Infinity)
  const { rows } = await db.query<Floor>(FLOOR[scan.sort], [
    from,
    Math.min(Math.ceil(messages), Number.MAX_SAFE_INTEGER),
  ])
  const ts = rows[0]?.ts
  if (ts === undefined) return undefined
  // Ids need not follow time, as in an imported history.
  return {
    ts: isNewest
      ? Math.min(Math.floor(ts), Math.ceil(from) - 1)
      : Math.max(Math.ceil(ts), Math.floor(from) + 1),
  }
}

/** Ids are about in the order of time. */
const floorSql = (sign: '<' | '>', step: '-' | '+', direction: 'desc' | 'asc') =>
  prepared(
    `select ts
       from messages
      where id ${sign}= (
            select id from messages
             where deleted = 0 and ts ${sign}= $1
             order by ts ${direction} limit 1) ${step} $2::bigint
      order by id ${direction}
      limit 1`,
  )

const FLOOR = { newest: floorSql('<', '-', 'desc'), oldest: floorSql('>', '+', 'asc') }

export const sorted = ({ sort }: Scan, hits: Position[]): Position[] => {
  const sign = sort === 'newest' ? -1 : 1
  return hits.sort((a, b) => sign * (a.ts - b.ts || a.id - b.id))
}
