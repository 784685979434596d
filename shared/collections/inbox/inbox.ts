import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import { INBOX_KINDS, type InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { GlobalCollection } from '../collection.ts'
import { presentReaders } from '../mentions.ts'
import { atOneMoment } from '../one-moment.ts'
import { candidatesFor, type InboxFilter } from './candidates.ts'
import type { Candidate, ItemOf, Text } from './item-kind.ts'
import { KINDS } from './kinds.ts'
import { NONE, unreadFor } from './unread.ts'

/** Items of the first page, which is also the frame. */
export const FIRST_PAGE = 20
/** Viewers per query. */
const VIEWERS_AT_ONCE = 100

export const inbox: GlobalCollection<'inbox'> = {
  event: 'inbox',
  scope: 'global',
  minInterval: 1_000,

  async read(stores, viewers) {
    const pages = new Map<Username, InboxPayload>()
    for (let from = 0; from < viewers.length; from += VIEWERS_AT_ONCE) {
      const some = viewers.slice(from, from + VIEWERS_AT_ONCE)
      for (const [viewer, page] of await readInbox(stores, some)) pages.set(viewer, page)
    }
    return pages
  },
}

/** Reads a page for each viewer (interface 14.2): what the viewer may read at present, newest first. */
export const readInbox = (
  stores: Stores,
  viewers: Username[],
  filter: InboxFilter = {},
): Promise<Map<Username, InboxPayload>> => atOneMoment(stores, then => pagesFor(then, viewers, filter))

async function pagesFor(
  stores: Stores,
  viewers: Username[],
  filter: InboxFilter,
): Promise<Map<Username, InboxPayload>> {
  const limit = filter.limit ?? FIRST_PAGE
  const candidates = await candidatesFor(stores, viewers, filter, limit + 1)
  const unread = await unreadFor(stores, viewers)
  const listed = new Map([...candidates].map(([viewer, list]) => [viewer, list.slice(0, limit)]))
  const itemOf = await itemsAmong(stores.db, [...listed.values()].flat())
  const mayRead = await presentReaders(stores.db, listed)
  return new Map(
    viewers.map(viewer => {
      const list = listed.get(viewer) ?? []
      const items = list.flatMap(candidate =>
        !KINDS[candidate.kind].isMessage || mayRead(viewer, candidate) ? (itemOf(candidate) ?? []) : [],
      )
      const last = list.at(-1)
      const hasMore = (candidates.get(viewer)?.length ?? 0) > limit && last !== undefined
      const next = hasMore ? `${last.item_ts}_${last.message_id}` : null
      return [viewer, { ...(unread.get(viewer) ?? NONE), items, next }]
    }),
  )
}

async function itemsAmong(db: Db, candidates: Candidate[]): Promise<ItemOf> {
  const texts = await textsOf(db, candidates)
  const readers = new Map<string, ItemOf>()
  for (const kind of INBOX_KINDS) {
    const ofKind = candidates.filter(candidate => candidate.kind === kind)
    readers.set(kind, await KINDS[kind].items(db, ofKind, texts))
  }
  return candidate => readers.get(candidate.kind)?.(candidate)
}

/** Reads the listed messages that are not deleted by now. */
async function textsOf(db: Db, candidates: Candidate[]): Promise<Map<number, Text>> {
  const ids = new Set(candidates.flatMap(one => (KINDS[one.kind].isMessage ? one.message_id : [])))
  if (ids.size === 0) return new Map()
  const { rows } = await db.query<Text>(
    `select id, ${SHOWN_SENDER} as sender, left(coalesce(nullif(content, ''), extra->'file'->>'name', ''), 300) as content,
            coalesce(content, '') = '' as is_file, coalesce(thread_id, reply_to_id) as root_id
       from messages message
      where id = any($1) and deleted = 0 and ${IS_NOT_REMOVED}`,
    [[...ids]],
  )
  return new Map(rows.map(row => [row.id, row]))
}
