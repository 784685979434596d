import type { InvitePayload } from '#shared/domain/payloads/administration.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

export type InviteRow = Omit<InvitePayload, 'url'>

/** Validity apart from the number of uses. `roles`: those that may invite now; `now`: the time. */
const isOpen = (now: string, roles: string) => `
  invite.revoked_ts is null
  and (invite.expires_ts is null or invite.expires_ts > ${now})
  and exists (select from users maker
               where maker.username = invite.created_by and maker.state = 'active' and maker.role = any(${roles}))`

const HAS_USES = '(invite.max_uses is null or invite.uses < invite.max_uses)'

const ENDED = (now: string, roles: string) => `
  case when invite.revoked_ts is not null then 'revoked'
       when invite.expires_ts <= ${now} then 'expired'
       when invite.uses >= invite.max_uses then 'used'
       when not (${isOpen(now, roles)}) then 'maker' end`

const COLUMNS = `
  invite.id, invite.code, invite.role, invite.channels, invite.note, invite.created_by, invite.created_ts,
  invite.expires_ts, invite.max_uses, invite.uses`

/** Time and roles that decide about validity. */
export interface Validity {
  now: Seconds
  roles: readonly Role[]
}

export type NewInvite = Pick<
  InviteRow,
  'code' | 'role' | 'channels' | 'note' | 'created_by' | 'created_ts' | 'expires_ts' | 'max_uses'
>

export async function insertInvite(tx: Db, invite: NewInvite): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into invites (code, role, channels, note, created_by, created_ts, expires_ts, max_uses)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     returning id`,
    [
      invite.code,
      invite.role,
      invite.channels,
      invite.note,
      invite.created_by,
      invite.created_ts,
      invite.expires_ts,
      invite.max_uses,
    ],
  )
  return rows[0]!.id
}

export interface InvitePage {
  /** Undefined: everybody's. */
  maker: Username | undefined
  validOnly: boolean
  /** Id of the last invitation of the previous page. */
  before: number | undefined
  limit: number
}

/** Time in seconds for which lists have an invitation that is not valid any more. */
const SHOWN_AFTER_END = 90 * 24 * 60 * 60

/** Its time is over, it was ended, its last place was taken, or its maker was deactivated, before `then`. */
const endedBefore = (then: string) => `
  (coalesce(invite.revoked_ts < ${then}, false)
   or coalesce(invite.expires_ts < ${then}, false)
   or (not ${HAS_USES}
       and not exists (select from invite_uses one where one.invite_id = invite.id and one.used_ts >= ${then}))
   or exists (select from users maker
               where maker.username = invite.created_by and maker.state = 'deactivated' and maker.state_ts < ${then}))`

/** Newest first, without those that ended long ago. */
export async function invitesOf(
  db: Db,
  { maker, validOnly, before, limit }: InvitePage,
  { now, roles }: Validity,
): Promise<Fitting<InviteRow>> {
  const invites = `
    select ${COLUMNS}, ${isOpen('$1', '$2')} and ${HAS_USES} as valid, ${ENDED('$1', '$2')} as ended,
           300 + coalesce(octet_length(invite.note), 0) + octet_length(invite.channels::text) as bytes
      from invites invite
     where ($3::text is null or invite.created_by = $3)
       and ($4::bigint is null or invite.id < $4)
       and (not $5 or (${isOpen('$1', '$2')} and ${HAS_USES}))
       and not ${endedBefore('$7')}`
  const { rows } = await db.query<InviteRow & { more: boolean }>(
    `select ${COLUMNS}, valid, ended, more
       from (${firstThatFit(invites, 'id desc', '$6')}) invite
      order by id desc`,
    [now, roles, maker ?? null, before ?? null, validOnly, limit, now - SHOWN_AFTER_END],
  )
  return fittingOf(rows, row => row)
}

export async function inviteById(
  db: Db,
  id: number,
  { now, roles }: Validity,
): Promise<InviteRow | undefined> {
  const { rows } = await db.query<InviteRow>(
    `select ${COLUMNS}, ${isOpen('$2', '$3')} and ${HAS_USES} as valid from invites invite where invite.id = $1`,
    [id, now, roles],
  )
  return rows[0]
}

export interface OpenInvite extends Pick<InviteRow, 'id' | 'code' | 'role' | 'channels' | 'created_by'> {
  hasUses: boolean
}

/** An invitation that is not expired or revoked and whose maker may invite. */
export async function openInvite(
  db: Db,
  code: string,
  { now, roles }: Validity,
): Promise<OpenInvite | undefined> {
  const { rows } = await db.query<OpenInvite>(
    `select invite.id, invite.code, invite.role, invite.channels, invite.created_by, ${HAS_USES} as "hasUses"
       from invites invite
      where invite.code = $1 and ${isOpen('$2', '$3')}`,
    [code, now, roles],
  )
  return rows[0]
}

/** Keeps others from using the invitation until the transaction ends. */
export async function lockInvite(tx: Db, code: string): Promise<void> {
  await tx.query('select from invites where code = $1 for no key update', [code])
}

/** Counts a use by a person; false if they used it before. */
export async function countUse(tx: Db, id: number, username: Username, now: Seconds): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with used as (
       insert into invite_uses (invite_id, username, used_ts) values ($1, $2, $3)
       on conflict do nothing
       returning invite_id
     )
     update invites set uses = uses + 1 from used where id = used.invite_id`,
    [id, username, now],
  )
  return rowCount === 1
}

export async function hasUsed(db: Db, id: number, username: Username): Promise<boolean> {
  const { rowCount } = await db.query('select from invite_uses where invite_id = $1 and username = $2', [
    id,
    username,
  ])
  return rowCount === 1
}

/** False if it was revoked before. */
export async function revokeInvite(tx: Db, id: number, now: Seconds): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update invites set revoked_ts = $2 where id = $1 and revoked_ts is null',
    [id, now],
  )
  return rowCount === 1
}

export interface Inviter {
  username: Username
  display_name: string | null
  avatar_file: string | null
}

export async function inviterOf(db: Db, username: Username): Promise<Inviter | undefined> {
  const { rows } = await db.query<Inviter>(
    'select username, display_name, avatar_file from users where username = $1',
    [username],
  )
  return rows[0]
}

/** The names that people see of channels, in the given order. */
export async function namesOf(db: Db, channels: readonly ChannelId[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select coalesce(private.name, properties.name, asked.channel) as name
       from unnest($1::text[]) with ordinality as asked (channel, place)
       left join private_channels private on 'private:' || private.id = asked.channel
       left join channel_properties properties on properties.channel = asked.channel
      order by place`,
    [channels],
  )
  return rows.map(row => row.name)
}
