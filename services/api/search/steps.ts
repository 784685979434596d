/** The statements of a bounded scan (bounded-scan.ts). */
import type { Seconds } from '#shared/domain/units.ts'
import { type Db, prepared } from '#shared/stores/postgres.ts'
import {
  afterConditions,
  contentConditions,
  directionOf,
  isAboutUnread,
  likeSql,
  MARKERS,
  type Parameter,
  placeConditions,
  READABLE,
  readableValues,
  type Scan,
  senderConditions,
  wordConditions,
} from './conditions.ts'
import { MOST_CHANNELS, spanKeys } from './places.ts'
import { FILE_NAME, type Position } from './queries.ts'

/** The trigrams of texts and file names, or of file names alone. */
export type Trigrams = 'texts' | 'names'

/** A span of time in the order of results: beyond a place, up to a time. */
export interface Segment {
  after: Position | undefined
  /** Newest first: inclusive; oldest first: exclusive. Undefined: to the end. */
  until: Seconds | undefined
  /** Its oldest and newest possible time; undefined for a segment without such bounds. */
  times: [Seconds, Seconds] | undefined
}

const COLUMNS = `
  message.id, message.channel, message.sender, message.ts, message.filename, message.reply_to_id, message.edited,
  message.content, message.thread_id, message.extra`

/** The text of a message, or the name of its file. A row has one of both. */
const WORDS = `coalesce(nullif(message.content, ''), case when message.filename is not null then ${FILE_NAME} end)`

const IS_READABLE = 'readable.channel = message.channel and message.ts >= readable.history_start'

const orderOf = (scan: Scan) => {
  const { direction } = directionOf(scan)
  return `order by message.ts ${direction}, message.id ${direction}`
}

const conditionsOf = (scan: Scan, parameter: Parameter) => [
  ...senderConditions(scan.names, parameter),
  ...contentConditions(scan, parameter),
]

const all = (conditions: string[]) => (conditions.length === 0 ? 'true' : conditions.join('\n        and '))

export interface Walked {
  hits: Position[]
  /** The last message read; undefined if none is beyond it. */
  end: Position | undefined
}

/** Reads so many messages of the place, one after the other, and returns the hits among them, at most `most`. */
export async function walk(
  db: Db,
  scan: Scan,
  after: Position | undefined,
  rows: number,
  most: number,
): Promise<Walked> {
  const values = readableValues(scan)
  const parameter = (value: unknown) => `$${values.push(value)}`
  const place = placeConditions(scan, parameter)
  if (after) place.push(...afterConditions(scan, after, parameter))
  const { words } = scan.query
  const hasWords = words.yes.length + words.no.length > 0
  const { direction } = directionOf(scan)
  const backwards = direction === 'desc' ? 'asc' : 'desc'
  // Offset 0: only readable messages are compared with the words.
  const { rows: found } = await db.query<Position & { looked: number | null }>(
    `with looked as materialized (
       select ${COLUMNS}
         from messages message
        where ${all(place)}
        ${orderOf(scan)}
        limit ${parameter(rows)})
     (select message.id, message.ts, null::bigint as looked
        from (select message.*, ${hasWords ? (scan.inFileNames ? WORDS : 'message.content') : 'null'} as words
                from looked message
                join (${READABLE}) readable on ${IS_READABLE}
              offset 0) message
        ${isAboutUnread(scan.query) ? MARKERS : ''}
       where ${all([...conditionsOf(scan, parameter), ...wordConditions(scan, 'message.words', parameter)])}
       ${orderOf(scan)}
       limit ${parameter(most)})
     union all
     (select id, ts, (select count(*) from looked)
        from looked
       order by ts ${backwards}, id ${backwards}
       limit 1)`,
    values,
  )
  const last = found.find(row => row.looked !== null)
  const hits = found.filter(row => row.looked === null)
  return {
    hits: sorted(scan, hits),
    end: last && last.looked === rows ? { id: last.id, ts: last.ts } : undefined,
  }
}

/** Reads the hits of a segment by the trigram index, at most `most`. */
export async function readSegment(
  db: Db,
  scan: Scan,
  trigrams: Trigrams,
  segment: Segment,
  most: number,
): Promise<Position[]> {
  const values = readableValues(scan)
  const parameter = (value: unknown) => `$${values.push(value)}`
  const parts = scan.inFileNames ? [namesOfFiles(scan, segment, parameter)] : []
  if (trigrams === 'texts') parts.push(textsOfMessages(scan, segment, parameter))
  const limit = `${orderOf(scan)} limit ${parameter(most)}`
  const conditions = all(conditionsOf(scan, parameter))
  const hits = parts.map(
    part => `
     (select message.id, message.ts
        from (${part}) message
        ${isAboutUnread(scan.query) ? MARKERS : ''}
       where ${conditions}
       ${limit})`,
  )
  const { rows } = await db.query<Position>(
    `select id, ts from (${hits.join(' union all ')}) message ${limit}`,
    values,
  )
  return rows
}

function namesOfFiles(scan: Scan, segment: Segment, parameter: Parameter): string {
  const { words, name } = scan.query
  return `
    select ${COLUMNS}
      from files file
      join messages message on message.id = file.message_id
      join (${READABLE}) readable on ${IS_READABLE}
     where ${all([
       ...placeConditions(scan, parameter),
       ...segmentConditions(scan, segment, parameter),
       // Implied, but the index of messages with files needs it.
       'message.filename is not null',
       'file.original_name <> file.name',
       ...wordConditions(scan, 'file.original_name', parameter),
       ...name.yes.map(one => likeSql('file.original_name', one, parameter)),
       ...(words.yes.length + name.yes.length > 0 ? [] : ['false']),
     ])}`
}

/** Lateral: a nested loop, whatever the planner expects of the words. */
function textsOfMessages(scan: Scan, segment: Segment, parameter: Parameter): string {
  const { channels } = scan
  const keys = (places: string) => `text_places(message.channel, message.ts) && ${places}`
  const spans = segment.times && spanKeys(...segment.times)
  const conditions = [
    ...wordConditions(scan, 'message.content', parameter),
    ...(spans ? [keys(`${parameter(spans)}::bigint[]`)] : []),
    ...(channels.length <= MOST_CHANNELS
      ? [keys('array(select hashtextextended(one, 0) from unnest($2::text[]) as one)')]
      : []),
    ...segmentConditions(scan, segment, parameter),
  ]
  return `
    select ${COLUMNS}
      from (select message.id
              from (select message_id as id, content, channel, ts from message_texts) message
              join (${READABLE}) readable on ${IS_READABLE}
             where ${all(conditions)}
            offset 0) text
     cross join lateral (
           select * from messages message where message.id = text.id and ${all(placeConditions(scan, parameter))}
           offset 0) message`
}

function segmentConditions(scan: Scan, { after, until }: Segment, parameter: Parameter): string[] {
  const { start, end } = scan.query
  const conditions = after ? afterConditions(scan, after, parameter) : []
  if (start !== undefined) conditions.push(`message.ts >= ${parameter(start)}`)
  if (end !== undefined) conditions.push(`message.ts < ${parameter(end)}`)
  if (until !== undefined)
    conditions.push(`message.ts ${scan.sort === 'newest' ? '>=' : '<'} ${parameter(until)}`)
  return conditions
}

/** Times of messages that are not deleted: the first and last ones, and that of the message so many beyond a time. */
export interface Extent {
  oldest: Seconds | null
  newest: Seconds | null
  reach: Seconds | null
}

export async function findExtent(
  db: Db,
  scan: Scan,
  beyond: Seconds | undefined,
  rows: number,
): Promise<Extent> {
  const { rows: found } = await db.query<Extent>(EXTENT[scan.sort], [
    beyond ?? (scan.sort === 'newest' ? Infinity : -Infinity),
    rows,
  ])
  return found[0]!
}

const extentSql = (sign: '<=' | '>=', direction: 'desc' | 'asc') =>
  prepared(
    `select (select min(ts) from messages where deleted = 0) as oldest,
            (select max(ts) from messages where deleted = 0) as newest,
            (select ts from messages
              where deleted = 0 and ts ${sign} $1
              order by ts ${direction} offset $2 limit 1) as reach`,
  )

const EXTENT = { newest: extentSql('<=', 'desc'), oldest: extentSql('>=', 'asc') }

export const sorted = ({ sort }: Scan, hits: Position[]): Position[] => {
  const sign = sort === 'newest' ? -1 : 1
  return hits.sort((a, b) => sign * (a.ts - b.ts || a.id - b.id))
}
