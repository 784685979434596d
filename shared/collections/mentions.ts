import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import {
  IS_TOLD_OF_EVERYONE,
  READABLE_CHANNELS,
  readableChannelsValues,
} from '#shared/access/readable-channels.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { GlobalCollection } from './collection.ts'
import { READ_TS } from './unread.ts'

/**
 * Bytes of text per viewer: the newest unread mentions that fit are listed, and always the newest. Otherwise each
 * change would send a whole backlog of long messages to every tab again.
 */
export const MOST_MENTION_TEXT = 32 * 1024
/** Bytes counted per mention besides its text, which bounds short ones too: about 300 mentions. */
const BESIDES_TEXT = 100
const MOST_MENTIONS = Math.ceil(MOST_MENTION_TEXT / BESIDES_TEXT)
/** Viewers per query. */
const VIEWERS_AT_ONCE = 200

export const mentions: GlobalCollection<'mentions'> = {
  event: 'mentions',
  scope: 'global',
  minInterval: 1_000,

  /** Viewers with the same mentions get the same array. */
  async read(stores, viewers) {
    const payloads = new Map<Username, MentionPayload[]>()
    const texts = new Map<number, MentionPayload | undefined>()
    const shared = new Map<string, MentionPayload[]>()
    for (let from = 0; from < viewers.length; from += VIEWERS_AT_ONCE) {
      const some = viewers.slice(from, from + VIEWERS_AT_ONCE)
      const chosen = choose(some, await candidatesFor(stores, some))
      await addTexts(stores.db, chosen, texts)
      // Checked after reading the texts: a member now was one when they were written.
      const mayRead = await presentReaders(stores.db, chosen)
      for (const viewer of some) {
        const readable = (chosen.get(viewer) ?? []).filter(
          mention => texts.get(mention.id) !== undefined && mayRead(viewer, mention),
        )
        const key = readable.map(mention => mention.id).join()
        if (!shared.has(key)) {
          shared.set(
            key,
            readable.map(mention => texts.get(mention.id)!),
          )
        }
        payloads.set(viewer, shared.get(key)!)
      }
    }
    return payloads
  },
}

interface Located {
  channel: ChannelId
  ts: Seconds
}

interface Candidate extends Located {
  id: number
  sender: Username
  bytes: number
}

interface Candidates {
  /** By viewer and channel, newest first. */
  named: Map<Username, Candidate[][]>
  /** By channel, newest first, for all viewers alike. */
  everyone: Map<ChannelId, Candidate[]>
  /** By viewer: the time after which a channel of `everyone` is unread. */
  unreadFrom: Map<Username, { channel: ChannelId; after: Seconds; historyStart: Seconds }[]>
}

type CandidateRow =
  | ({ kind: 'named'; viewer: Username } & Candidate)
  | ({ kind: 'everyone' } & Candidate)
  | { kind: 'unread'; viewer: Username; channel: ChannelId; ts: Seconds; history_start: Seconds }

/**
 * Finds the messages that may be listed, without their texts. Skips channels without unread messages; mentions of
 * everyone are read once per channel, not once per viewer.
 */
async function candidatesFor(stores: Stores, viewers: Username[]): Promise<Candidates> {
  const { rows } = await stores.db.query<CandidateRow>(
    `with readable as materialized (
       select readable.viewer, readable.channel, readable.history_start, (${IS_TOLD_OF_EVERYONE}) as joined, ${READ_TS} as after
         from (${READABLE_CHANNELS}) readable
         join channels channel on channel.id = readable.channel
         left join read_watermarks marker on marker.channel = readable.channel and marker.username = readable.viewer
        where channel.newest_ts > ${READ_TS}
     ), named as (
       select readable.viewer, mention.message_id
         from readable
        cross join lateral (
              select message_id
                from message_mentions
               where channel = readable.channel
                 and username = readable.viewer
                 and ts > readable.after
                 and ts >= readable.history_start
               order by ts desc
               limit $4) mention
     ), everyone as materialized (
       select lowest.channel, mention.message_id
         from (select channel, min(greatest(after, history_start)) as ts
                 from readable
                where joined
                group by channel) lowest
        cross join lateral (
              select message_id
                from message_mentions
               where channel = lowest.channel
                 and username = $3
                 and ts >= lowest.ts
               order by ts desc
               limit $4) mention
     )
     select 'named' as kind, named.viewer, message.channel, message.ts, null::double precision as history_start,
            message.id, message.sender, coalesce(octet_length(message.content), 0) as bytes
       from named join messages message on message.id = named.message_id
      where ${IS_NOT_REMOVED}
     union all
     select 'everyone', null, message.channel, message.ts, null,
            message.id, message.sender, coalesce(octet_length(message.content), 0)
       from everyone join messages message on message.id = everyone.message_id
      where ${IS_NOT_REMOVED}
     union all
     select 'unread', viewer, channel, after, history_start, null, null, null
       from readable
      where joined and channel in (select channel from everyone)
     order by ts desc, id desc`,
    [...readableChannelsValues(stores, viewers), EVERYONE, MOST_MENTIONS],
  )
  const named = new Map<Username, Map<ChannelId, Candidate[]>>()
  const everyone = new Map<ChannelId, Candidate[]>()
  const unreadFrom: Candidates['unreadFrom'] = new Map()
  for (const row of rows) {
    if (row.kind === 'everyone') push(everyone, row.channel, candidateOf(row))
    else if (row.kind === 'named') {
      if (!named.has(row.viewer)) named.set(row.viewer, new Map())
      push(named.get(row.viewer)!, row.channel, candidateOf(row))
    } else {
      push(unreadFrom, row.viewer, { channel: row.channel, after: row.ts, historyStart: row.history_start })
    }
  }
  return {
    named: new Map([...named].map(([viewer, lists]) => [viewer, [...lists.values()]])),
    everyone,
    unreadFrom,
  }
}

const candidateOf = ({ id, channel, ts, sender, bytes }: Candidate) => ({ id, channel, ts, sender, bytes })

function push<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value) {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Returns for each viewer the mentions that fit, newest first. */
function choose(
  viewers: Username[],
  { named, everyone, unreadFrom }: Candidates,
): Map<Username, Candidate[]> {
  return new Map(
    viewers.map(viewer => {
      const lists = [...(named.get(viewer) ?? [])]
      const starts: { list: Candidate[]; after: Seconds; historyStart: Seconds }[] = lists.map(list => ({
        list,
        after: 0,
        historyStart: 0,
      }))
      for (const { channel, after, historyStart } of unreadFrom.get(viewer) ?? []) {
        const list = everyone.get(channel)
        if (list) starts.push({ list, after, historyStart })
      }
      return [viewer, newestThatFit(viewer, starts)]
    }),
  )
}

/** Merges lists sorted newest first until the byte limit. */
function newestThatFit(
  viewer: Username,
  starts: { list: Candidate[]; after: Seconds; historyStart: Seconds }[],
): Candidate[] {
  const merged: Candidate[] = []
  const next = starts.map(() => 0)
  let bytes = 0
  for (;;) {
    let newest: Candidate | undefined
    let from = -1
    for (const [i, { list, after, historyStart }] of starts.entries()) {
      const head = list[next[i]!]
      if (!head || head.ts <= after || head.ts < historyStart) continue
      if (newest && (head.ts < newest.ts || (head.ts === newest.ts && head.id <= newest.id))) continue
      newest = head
      from = i
    }
    if (!newest) return merged
    next[from]!++
    // Mentions by the viewer do not count. A message may be in two lists.
    if (newest.sender === viewer || merged.at(-1)?.id === newest.id) continue
    bytes += newest.bytes + BESIDES_TEXT
    if (bytes > MOST_MENTION_TEXT && merged.length > 0) return merged
    merged.push(newest)
  }
}

/** Reads missing texts into `texts`, by id; undefined for messages deleted meanwhile. */
async function addTexts(
  db: Db,
  chosen: Map<Username, Candidate[]>,
  texts: Map<number, MentionPayload | undefined>,
) {
  const missing = new Set<number>()
  for (const list of chosen.values()) for (const { id } of list) if (!texts.has(id)) missing.add(id)
  if (missing.size === 0) return
  for (const id of missing) texts.set(id, undefined)
  const { rows } = await db.query<MentionPayload>(
    `select id, channel, ${SHOWN_SENDER} as sender, content, filename, ts
       from messages message
      where id = any($1) and deleted = 0 and ${IS_NOT_REMOVED}`,
    [[...missing]],
  )
  for (const row of rows) texts.set(row.id, row)
}

/** Finds which viewers may read the chosen messages of private and public channels at present. */
export async function presentReaders(db: Db, chosen: Map<Username, Located[]>) {
  const viewers = new Set<Username>()
  const privateIds = new Set<number>()
  let hasPublic = false
  for (const [viewer, list] of chosen) {
    for (const { channel } of list) {
      const parsed = parseChannelId(channel)
      if (parsed?.kind === 'private') privateIds.add(parsed.privateId)
      if (parsed?.kind === 'public') hasPublic = true
      if (parsed?.kind !== 'dm') viewers.add(viewer)
    }
  }
  const asked = [...viewers]
  const [starts, restricted] = await Promise.all([
    privateIds.size === 0 ? undefined : historyStarts(db, asked, [...privateIds]),
    hasPublic ? channelsOfRestricted(db, asked) : undefined,
  ])
  return (viewer: Username, { channel, ts }: Located) => {
    const kind = parseChannelId(channel)?.kind
    if (kind === 'public') return restricted?.get(viewer)?.has(channel) ?? true
    if (kind === 'dm') return true
    const start = starts?.get(`${channel} ${viewer}`)
    return start !== undefined && ts >= start
  }
}

async function historyStarts(db: Db, viewers: Username[], privateIds: number[]) {
  const { rows } = await db.query<{ username: Username; channel: ChannelId; history_start: Seconds }>(
    `select username, 'private:' || channel_id as channel, coalesce(history_start_ts, 0) as history_start
       from private_channel_members
      where username = any($1) and channel_id = any($2)`,
    [viewers, privateIds],
  )
  return new Map(rows.map(row => [`${row.channel} ${row.username}`, row.history_start]))
}

/** The public channels of those viewers who may not read all. */
async function channelsOfRestricted(db: Db, viewers: Username[]) {
  const { rows } = await db.query<{ username: Username; channels: ChannelId[] }>(
    `select username, array(
              select channel
                from channel_memberships membership
               where membership.username = account.username and joined and state = 'active') as channels
       from users account
      where (role = 'guest' or state <> 'active') and username = any($1)`,
    [viewers],
  )
  return new Map(rows.map(row => [row.username, new Set(row.channels)]))
}
