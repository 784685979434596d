import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { READ_TS } from '#shared/collections/unread.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { Both, HasKind, IsKind, SearchQuery } from '#shared/domain/search-query.ts'
import { FILE_NAME, type Parameter, type Position, type Resolved } from './queries.ts'
import { type Reach, readableSql } from './readable.ts'
import type { Word } from './words.ts'

const OF_FILES: ReadonlySet<HasKind> = new Set(['file', 'image', 'video', 'audio', 'pdf'])

const VIEWER = '($1::text[])[1]'

/** A search with the looked-up names and channels. */
export interface Scan {
  query: SearchQuery
  words: Both<Word>
  /** Of `name:`. */
  fileNames: Both<Word>
  names: Resolved
  sort: 'newest' | 'oldest'
  /** Words are found in original names of files, too. */
  inFileNames: boolean
  reach: Reach
}

/** The first parameters of a statement, those of CHANNELS_OF_READERS. */
export const firstValues = ({ reach }: Scan): unknown[] => [...reach.values]

/** A common table for IS_READABLE of messages in some channels. `among`: SQL for their ids. */
export const starts = ({ reach }: Scan, among: string, parameter: Parameter): string => `
     starts as materialized (
       select jsonb_object_agg(channel, history_start) as of_channels
         from (${readableSql(reach, parameter, `array(${among})`)}) readable)`

/** SQL: the viewer may read a message. All channels are in a single object: in a join the planner might compare each with each. */
export const IS_READABLE = `
        message.ts >= ((select of_channels from starts) ->> message.channel)::double precision`

export const directionOf = ({ sort }: Scan) =>
  sort === 'newest'
    ? ({ direction: 'desc', beyond: '<' } as const)
    : ({ direction: 'asc', beyond: '>' } as const)

/** Conditions that one range of an index serves, so that a bounded scan passes over little else. */
export function placeConditions({ query, names, reach }: Scan, parameter: Parameter): string[] {
  const conditions = ['message.deleted = 0', IS_NOT_REMOVED]
  const { senders } = names
  if (senders.isFiltered && senders.yes.length === 1)
    conditions.push(`lower(message.sender) = ${parameter(senders.yes[0])}`)
  if (reach.few?.length === 1) conditions.push(`message.channel = ${parameter(reach.few[0])}`)
  if (query.start !== undefined) conditions.push(`message.ts >= ${parameter(query.start)}`)
  if (query.end !== undefined) conditions.push(`message.ts < ${parameter(query.end)}`)
  if (query.name.yes.length > 0 || query.has.yes.some(kind => OF_FILES.has(kind)))
    conditions.push('message.filename is not null')
  // Lists of few messages.
  if (query.has.yes.includes('pin')) conditions.push('message.id = any(array(select message_id from pins))')
  if (query.is.yes.includes('saved'))
    conditions.push(`message.id = any(array(select message_id from saved where username = ${VIEWER}))`)
  return conditions
}

/** Messages beyond a place in the order of results. */
export function afterConditions(scan: Scan, { ts, id }: Position, parameter: Parameter): string[] {
  const { beyond } = directionOf(scan)
  return [
    // For the index alone.
    `message.ts ${beyond}= ${parameter(ts)}`,
    `(message.ts, message.id) ${beyond} (${parameter(ts)}, ${parameter(id)})`,
  ]
}

export function senderConditions({ senders }: Resolved, parameter: Parameter): string[] {
  const conditions: string[] = []
  if (senders.isFiltered && senders.yes.length !== 1)
    conditions.push(`lower(message.sender) = any(${parameter(senders.yes)})`)
  if (senders.no.length > 0) conditions.push(`lower(message.sender) <> all(${parameter(senders.no)})`)
  return conditions
}

export function contentConditions({ query, fileNames }: Scan, parameter: Parameter): string[] {
  const has = (kind: HasKind) => HAS[kind]
  const is = (kind: IsKind) => IS[kind]
  const named = (name: Word) => isIn(name, `search_text(${FILE_NAME})`, FILE_NAME, parameter)
  return [
    ...fileNames.yes.map(named),
    ...fileNames.no.map(name => `(${named(name)}) is not true`),
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
export function wordConditions(
  { words }: Scan,
  folded: (word: Word) => string,
  original: string,
  parameter: Parameter,
): string[] {
  return [
    ...words.yes.map(word => isIn(word, folded(word), original, parameter)),
    ...words.no.map(word => `(${isIn(word, folded(word), original, parameter)}) is not true`),
  ]
}

/** For the index of folded texts: implied by the conditions of the words. */
export const foldedConditions = ({ words }: Scan, folded: string, parameter: Parameter): string[] =>
  words.yes.map(word => likeSql(word, folded, parameter))

/** The conditions that `foldedConditions` leave: accents, and unwanted words. */
export const wordsLeft = (
  { words }: Scan,
  folded: string,
  original: string,
  parameter: Parameter,
): string[] => [
  ...words.yes
    .filter(word => word.accents !== undefined)
    .map(word => isIn(word, folded, original, parameter)),
  ...words.no.map(word => `(${isIn(word, folded, original, parameter)}) is not true`),
]

/** A word in a text, given folded and as written. */
export function isIn(word: Word, folded: string, original: string, parameter: Parameter): string {
  const like = likeSql(word, folded, parameter)
  return word.accents === undefined
    ? like
    : // Texts of ASCII have no accents.
      `(${like} and octet_length(${original}) <> char_length(${original})
        and accented_text(${original}) ~ ${parameter(word.accents)})`
}

/** Texts of ASCII have any case. */
const likeSql = ({ folded }: Word, text: string, parameter: Parameter): string =>
  `${text} ilike ${parameter(`%${literal(folded)}%`)}`

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

export const isAboutUnread = ({ is }: SearchQuery) => [...is.yes, ...is.no].includes('unread')

export const MARKERS = `left join read_watermarks marker
         on marker.channel = message.channel and marker.username = ${VIEWER}`

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
