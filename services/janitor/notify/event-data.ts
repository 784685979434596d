import { IS_NOT_REMOVED, SHOWN_MENTIONS, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** A row of `outgoing_events`. */
export interface EventRow {
  id: number
  kind: string
  ref: {
    message?: number
    /** Rows of the request that sent the message. */
    rows?: number
    channel?: ChannelId
    word?: string | null
    emoji?: string
    username?: Username
    entry?: number
  }
  ts: Seconds
}

/** An event with its payload. Without a channel it is for administrators alone. */
export interface ReadEvent {
  row: EventRow
  channel: ChannelId | undefined
  /** When the message was sent: bots see a private channel from their joining on, or all of it. */
  since: Seconds | undefined
  /** The person who acted. */
  actor: Username | undefined
  isByBot: boolean
  channelName: string | undefined
  data: Record<string, unknown>
}

interface MessageData {
  id: number
  channel: ChannelId
  sender: Username
  ts: Seconds
  deleted: 0 | 1
}

/** The events whose subjects are still there, in order. */
export async function readEvents(db: Db, rows: readonly EventRow[]): Promise<ReadEvent[]> {
  const sends = new Map<number, number | undefined>()
  for (const { ref } of rows)
    if (ref.message !== undefined) sends.set(ref.message, ref.rows ?? sends.get(ref.message))
  const messages = await messagesOf(db, sends)
  const entries = await entriesOf(
    db,
    idsOf(rows, ({ entry }) => entry),
  )
  const channels = await channelsOf(db, [
    ...new Set([...messages.values(), ...rows.map(({ ref }) => ref)].flatMap(({ channel }) => channel ?? [])),
  ])
  const people = await peopleOf(db, [
    ...new Set([
      ...[...messages.values()].map(({ sender }) => sender),
      ...rows.flatMap(({ ref }) => ref.username ?? []),
    ]),
  ])
  return rows.flatMap(row => {
    const { ref, kind } = row
    const person = people.get(ref.username ?? '')
    const common = { row, since: undefined, actor: person?.username, channel: ref.channel }
    const isByBot = person?.kind === 'bot'
    const channelName = ref.channel && channels.get(ref.channel)?.name
    if (ref.message !== undefined) {
      const message = messages.get(ref.message)
      if (!message || (message.deleted === 1) !== (kind === 'message.deleted')) return []
      const { channel, ts: since } = message
      const ofMessage = { row, channel, since, channelName: channels.get(channel)?.name ?? channel }
      const author = people.get(message.sender)
      if (ref.emoji === undefined)
        return {
          ...ofMessage,
          actor: message.sender,
          isByBot: author?.kind === 'bot',
          data: { ...message },
        }
      if (!person) return []
      const { emoji } = ref
      const { username } = person
      return {
        ...ofMessage,
        actor: username,
        isByBot,
        data: { message_id: message.id, channel, emoji, username, ts: row.ts },
      }
    }
    if (ref.entry !== undefined) {
      const data = entries.get(ref.entry)
      return data ? { ...common, channel: undefined, isByBot: false, channelName: undefined, data } : []
    }
    if (ref.channel === undefined)
      return person ? { ...common, isByBot, channelName: undefined, data: { ...person } } : []
    if (ref.username !== undefined)
      return person
        ? {
            ...common,
            isByBot,
            channelName,
            data: { channel: ref.channel, username: person.username, ts: row.ts },
          }
        : []
    const channel = channels.get(ref.channel)
    return channel ? { ...common, isByBot: false, channelName, data: { ...channel } } : []
  })
}

const idsOf = (rows: readonly EventRow[], idOf: (ref: EventRow['ref']) => number | undefined) => [
  ...new Set(rows.flatMap(({ ref }) => idOf(ref) ?? [])),
]

/**
 * Message objects of the interface, with the stored names of all files of the request. Rows of a request have times that
 * follow each other. `sends`: ids with the number of rows, where it is known: another request may follow within 1 ms.
 */
async function messagesOf(
  db: Db,
  sends: ReadonlyMap<number, number | undefined>,
): Promise<Map<number, MessageData>> {
  if (sends.size === 0) return new Map()
  const { rows } = await db.query<MessageData>(
    `select message.id, message.channel, ${SHOWN_SENDER} as sender,
            case when message.deleted = 0 then message.content end as content,
            case when message.deleted = 0 then message.filename end as filename,
            message.ts, message.edited, message.edited_ts, message.deleted, message.deleted_ts, message.reply_to_id,
            case when message.deleted = 0 then ${SHOWN_MENTIONS} end as mentions,
            coalesce((select json_agg(part.filename order by part.ord)
                        from messages part
                       where message.deleted = 0 and part.channel = message.channel and part.deleted = 0
                         and part.ts >= message.ts and part.ts < message.ts + 0.001
                         and (part.ord < message.ord + asked.rows or asked.rows is null)
                         and part.ord - greatest(part.part - 1, 0) = message.ord - greatest(message.part - 1, 0)
                         and part.filename is not null and part.sender = message.sender), '[]') as files
       from unnest($1::bigint[], $2::bigint[]) as asked (id, rows)
       join messages message using (id)
      where message.content_type = 'text' and ${IS_NOT_REMOVED}`,
    [[...sends.keys()], [...sends.values()]],
  )
  return new Map(rows.map(row => [row.id, row]))
}

async function entriesOf(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Record<string, unknown>>()
  const { rows } = await db.query<{ id: number }>(
    `select id, ts, actor, actor_kind, action, target, channel, detail, host(address) as address
       from audit_log
      where id = any($1)`,
    [ids],
  )
  return new Map(rows.map(row => [row.id, row as unknown as Record<string, unknown>]))
}

async function channelsOf(db: Db, ids: readonly ChannelId[]) {
  const { rows } = await db.query<{ id: ChannelId; name: string }>(
    `select asked.id, coalesce(properties.name, private.name, asked.id) as name,
            case when asked.id like 'private:%' then 'private' when asked.id like 'dm:%' then 'dm' else 'public' end as kind,
            properties.topic, coalesce(properties.created_by, private.created_by) as created_by,
            coalesce(properties.created_ts, private.created_ts) as created_ts, properties.archived_ts
       from unnest($1::text[]) as asked (id)
       left join channel_properties properties on properties.channel = asked.id
       left join private_channels private on asked.id = 'private:' || private.id`,
    [ids],
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** By the names asked for, which may be former ones: an account may have been renamed since. */
async function peopleOf(db: Db, names: readonly Username[]) {
  const { rows } = await db.query<{ asked: Username; username: Username; kind: string }>(
    `select asked.name as asked, username, kind, display_name, role, state, created_ts
       from unnest($1::text[]) as asked (name)
       join users on username = coalesce(
            (select username from users where username = asked.name),
            (select former.username from former_names former where username_key = lower(asked.name)))
      where username not in (select username from account_deletions)`,
    [names],
  )
  return new Map(rows.map(({ asked, ...person }) => [asked, person]))
}
