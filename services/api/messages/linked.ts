import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, payloadOf } from '#shared/collections/messages.ts'
import type { LinkedMessagesPayload } from '#shared/domain/payloads/messages.ts'
import { idFrom, type Username } from '#shared/domain/units.ts'
import { firstThatFit } from '#shared/stores/first-that-fit.ts'
import { prepared } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import * as f from '../middleware/fields.ts'

/** Messages of a request. */
const MOST_IDS = 50

/** By id: the mark of the row that the client has. */
export type HeldRows = ReadonlyMap<number, string | undefined>

/** `12,13-Kx7…`: ids, each with the mark of what the client has. */
export const heldRows = v.pipe(
  v.optional(v.unknown(), ''),
  v.transform(value => heldRowsIn(value)),
  v.custom<HeldRows>(held => held !== undefined, f.invalid(`1 to ${MOST_IDS} message ids`)),
)

function heldRowsIn(value: unknown): HeldRows | undefined {
  const held = new Map<number, string | undefined>()
  for (const item of typeof value === 'string' ? value.split(',', MOST_IDS + 1) : []) {
    const [, idText, mark] = /^(\d{1,16})(?:-([\w-]{1,20}))?$/.exec(item) ?? []
    const id = idFrom(idText)
    if (id === undefined) return undefined
    held.set(id, mark)
  }
  return held.size === 0 || held.size > MOST_IDS ? undefined : held
}

/**
 * $1, $2 of READABLE_CHANNELS, $3 ids, in order. The last condition is implied; without it every channel of the viewer is
 * read. `others`: the readable ones that do not fit, in each row.
 */
const LINKED = prepared(
  `with found as materialized (
     select message.id, asked.at, ${MESSAGE_BYTES} as bytes
       from unnest($3::bigint[]) with ordinality as asked (id, at)
       join messages message on message.id = asked.id and ${IS_NOT_REMOVED}
       join (${READABLE_CHANNELS}) readable
         on readable.channel = message.channel and readable.history_start <= message.ts
      where readable.channel = any(array(select channel from messages where id = any($3)))
   ), page as materialized (${firstThatFit('select * from found', 'at', String(MOST_IDS))})
   select ${MESSAGE_COLUMNS},
          (select json_agg(id order by at) from found where at > (select max(at) from page)) as others
     from page join messages message on message.id = page.id
    order by page.at`,
)

/** The rows that the client lacks or has in another form; one statement, whatever the number of channels. */
export async function linkedMessages(
  stores: Stores,
  viewer: Username,
  held: HeldRows,
): Promise<LinkedMessagesPayload> {
  const { rows } = await stores.db.query<MessageRow & { others: number[] | null }>(LINKED, [
    ...readableChannelsValues(stores, [viewer]),
    [...held.keys()],
  ])
  const left = rows[0]?.others ?? []
  const messages = rows.map(({ others: _, ...row }) => payloadOf(row))
  const readable = new Set([...messages.map(row => row.id), ...left])
  return {
    items: messages
      .map(message => ({ mark: markOf(message), message }))
      .filter(({ mark, message }) => held.get(message.id) !== mark),
    unreadable: [...held.keys()].filter(id => !readable.has(id)),
    ...(left.length > 0 && { left }),
  }
}

const markOf = (message: object) =>
  createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 12)
