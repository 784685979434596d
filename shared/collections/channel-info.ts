import { managesPrivate, managesPublic } from '#shared/access/access-of.ts'
import { decisionsOf, hasJoined, membersOfPublic } from '#shared/access/channel-people.ts'
import { readersOf } from '#shared/access/readers.ts'
import { seenByGuests } from '#shared/access/visible-people.ts'
import { type ParsedChannel, parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelInfoPayload, ChannelRight } from '#shared/domain/payloads/channels.ts'
import { hasRight, type Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { ChannelCollection } from './collection.ts'
import { atOneMoment } from './one-moment.ts'

/** Viewers with the same rights and history get the same object. */
export const channelInfo: ChannelCollection<'channel_info'> = {
  event: 'channel_info',
  scope: 'channel',
  minInterval: 1_000,

  read: (stores, viewers, channel) => atOneMoment(stores, then => readInfos(then, viewers, channel)),
}

async function readInfos(
  stores: Stores,
  viewers: Username[],
  channel: ChannelId,
): Promise<Map<Username, ChannelInfoPayload>> {
  const parsed = parseChannelId(channel)
  const common = parsed && (await readCommon(stores, parsed))
  if (!common) return new Map()
  const readers = await readersOf(stores, viewers, channel)
  const rights = await readRights(stores.db, [...readers.keys()], parsed)
  const guests = [...readers.keys()].filter(viewer => rights.get(viewer)?.role === 'guest')
  const pinned = await pinnedIn(stores.db, parsed.id)
  const { managers, created_by } = common
  const seen = await seenByGuests(stores, guests, [...managers, ...(created_by === null ? [] : [created_by])])
  const shared = new Map<string, ChannelInfoPayload>()
  return new Map(
    [...readers].map(([viewer, historyStart]) => {
      const may = rightsIn(stores, common, rights.get(viewer))
      const shown = withNames(common, seen.get(viewer))
      const key = `${may} ${historyStart} ${shown.managers} ${shown.created_by}`
      if (!shared.has(key)) {
        const pins = pinned.filter(ts => ts >= historyStart).length
        shared.set(key, { ...shown, may, history_from: historyStart || null, pins })
      }
      return [viewer, shared.get(key)!]
    }),
  )
}

type Common = Omit<ChannelInfoPayload, 'may' | 'history_from' | 'pins'>

/** The times of the pinned messages, at most 100. */
async function pinnedIn(db: Db, channel: ChannelId): Promise<Seconds[]> {
  const { rows } = await db.query<{ ts: Seconds }>(
    `select message.ts
       from pins
       join messages message on message.id = pins.message_id
      where pins.channel = $1 and message.deleted = 0`,
    [channel],
  )
  return rows.map(row => row.ts)
}

/** Without the names that a guest does not see. */
function withNames(common: Common, seen: ReadonlySet<Username> | undefined): Common {
  if (!seen) return common
  const { managers, created_by } = common
  return {
    ...common,
    managers: managers.filter(name => seen.has(name)),
    created_by: created_by !== null && seen.has(created_by) ? created_by : null,
  }
}

/** The words of `may`. Guests delete and mention nothing of others; a DM has no manager. */
function rightsIn({ settings }: Stores, common: Common, rights: Rights | undefined): ChannelRight[] {
  const { role = 'member', manages = false } = rights ?? {}
  const isDm = common.kind === 'dm'
  const mayPost = !common.archived && (common.posting === 'everyone' || manages)
  const post = isDm ? (rights?.hasPartner ?? true) : mayPost
  const may: Record<ChannelRight, boolean> = {
    post,
    manage: !isDm && manages,
    // The right of those who may write (interface 11.3).
    pin: post,
    delete_others: !isDm && manages,
    mention_everyone: hasRight(role, 'mention_everyone', settings.current),
  }
  return (Object.keys(may) as ChannelRight[]).filter(right => may[right])
}

interface Rights {
  role: Role
  manages: boolean
  /** True unless the channel is a DM whose other participants are all deactivated. */
  hasPartner: boolean
}

async function readRights(db: Db, viewers: Username[], parsed: ParsedChannel) {
  const { rows } = await db.query<Rights & { username: Username }>(rightsStatement(parsed), [
    viewers,
    parsed.kind === 'dm' ? parsed.participants : parsed.id,
  ])
  return new Map(rows.map(({ username, ...rights }) => [username, rights]))
}

function rightsStatement(parsed: ParsedChannel): string {
  const manages = {
    public: managesPublic('$2::text'),
    private: parsed.kind === 'private' ? managesPrivate('$2::text', String(parsed.privateId)) : '',
    dm: 'false',
  }[parsed.kind]
  // As when sending: only deactivated people are left in the DM.
  const hasPartner =
    parsed.kind === 'dm'
      ? `coalesce((select bool_or(other.state = 'active')
                     from users other
                    where other.username = any($2::text[]) and other.username <> account.username), true)`
      : 'true'
  return `select account.username, account.role, ${manages} as manages, ${hasPartner} as "hasPartner"
            from users account
           where account.username = any($1)`
}

async function readCommon(stores: Stores, parsed: ParsedChannel): Promise<Common | undefined> {
  switch (parsed.kind) {
    case 'public':
      return readPublic(stores, parsed)
    case 'private':
      return readPrivate(stores.db, parsed)
    case 'dm':
      return { ...IN_DM, channel: parsed.id, ...(await countDm(stores.db, parsed.participants)) }
  }
}

const IN_DM = {
  channel: '',
  kind: 'dm' as const,
  name: null,
  topic: null,
  description: null,
  posting: 'everyone' as const,
  archived: false,
  archived_ts: null,
  default: false,
  members: 0,
  guests: 0,
  bots: 0,
  managers: [],
  created_by: null,
  created_ts: null,
}

async function countDm(db: Db, participants: Username[]) {
  const { rows } = await db.query<{ members: number; guests: number; bots: number }>(
    `select count(*)::integer as members, count(*) filter (where role = 'guest')::integer as guests,
            count(*) filter (where kind = 'bot')::integer as bots
       from users
      where username = any($1) and state = 'active'`,
    [participants],
  )
  return rows[0]!
}

const PROPERTIES = `
  properties.topic, properties.description, coalesce(properties.posting, 'everyone') as posting,
  properties.archived_ts is not null as archived, properties.archived_ts`

/** SQL: the active managers of a channel by name. */
const MANAGERS = `
  array(select manager.username
          from channel_managers manager
          join users account on account.username = manager.username
         where manager.channel = $1 and account.state = 'active' and account.role <> 'guest'
         order by manager.username)`

async function readPublic({ db, settings }: Stores, { id }: ParsedChannel) {
  const { rows } = await db.query<Common>(
    `select asked.channel, 'public' as kind, coalesce(properties.name, asked.channel) as name, ${PROPERTIES},
            ($2 or coalesce(properties.is_default, false)) as default,
            ${membersOfPublic('counted', '$2 or coalesce(properties.is_default, false)')} as members,
            coalesce(counted.guests, 0) as guests,
            (select count(*)::integer
               from users
              where kind = 'bot' and state = 'active' and ${hasJoined('$1', '$2')}) as bots,
            ${MANAGERS} as managers,
            properties.created_by, properties.created_ts
       from (select $1::text as channel) asked
       left join channel_properties properties on properties.channel = asked.channel
       left join (${decisionsOf('$1')}) counted on true
      where $2::boolean or (properties.kind = 'public' and properties.made_here)`,
    [id, settings.current.channels.includes(id)],
  )
  return rows[0]
}

async function readPrivate(db: Db, { id, privateId }: Extract<ParsedChannel, { kind: 'private' }>) {
  const { rows } = await db.query<Common & { heir: Username | null }>(
    `select $1 as channel, 'private' as kind, private.name, ${PROPERTIES}, false as default,
            members.members, members.guests, members.bots, ${MEMBER_MANAGERS} as managers, private.created_by, private.created_ts,
            members.heir
       from private_channels private
       left join channel_properties properties on properties.channel = $1
      cross join lateral (
            select count(*)::integer as members,
                   count(*) filter (where account.role = 'guest')::integer as guests,
                   count(*) filter (where account.kind = 'bot')::integer as bots,
                   (array_agg(account.username order by member.join_order)
                      filter (where account.role <> 'guest'))[1] as heir
              from private_channel_members member
              join users account on account.username = member.username
             where member.channel_id = private.id and account.state = 'active') members
      where private.id = $2`,
    [id, privateId],
  )
  const row = rows[0]
  if (!row) return undefined
  const { heir, ...common } = row
  return common.managers.length > 0 || heir === null ? common : { ...common, managers: [heir] }
}

const MEMBER_MANAGERS = `
  array(select manager.username
          from channel_managers manager
          join users account on account.username = manager.username
          join private_channel_members member
            on member.channel_id = private.id and member.username = manager.username
         where manager.channel = $1 and account.state = 'active' and account.role <> 'guest'
         order by manager.username)`
