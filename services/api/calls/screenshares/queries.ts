import { lockNames } from '#shared/access/account-locks.ts'
import type { ScreensharePayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface ShareRow extends ScreensharePayload {
  state: 'active' | 'ended'
  seen_ts: Seconds
}

const SHARE_COLUMNS = 'share_id, channel, sharer, started_ts, state, seen_ts'

export async function shareById(db: Db, shareId: string): Promise<ShareRow | undefined> {
  const { rows } = await db.query<ShareRow>(
    `select ${SHARE_COLUMNS} from screen_shares where share_id = $1`,
    [shareId],
  )
  return rows[0]
}

/** The share, locked until the transaction ends. */
export async function lockShare(tx: Db, shareId: string): Promise<ShareRow | undefined> {
  const { rows } = await tx.query<ShareRow>(
    `select ${SHARE_COLUMNS} from screen_shares where share_id = $1 for update`,
    [shareId],
  )
  return rows[0]
}

/** The share, under a shared lock: excludes its end, but not other readers. */
export async function shareShare(tx: Db, shareId: string): Promise<ShareRow | undefined> {
  const { rows } = await tx.query<ShareRow>(
    `select ${SHARE_COLUMNS} from screen_shares where share_id = $1 for share`,
    [shareId],
  )
  return rows[0]
}

export async function noteSharing(db: Db, shareId: string, now: Seconds): Promise<void> {
  await db.query('update screen_shares set seen_ts = greatest(seen_ts, $2) where share_id = $1', [
    shareId,
    now,
  ])
}

/** Serializes concurrent starts of one user in one channel, so that each ends the one before. */
export async function lockSharing(tx: Db, channel: ChannelId, sharer: Username): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('share ' || $1 || ' ' || $2, 0))`, [
    channel,
    sharer,
  ])
}

export async function insertShare(
  tx: Db,
  share: { share_id: string; channel: ChannelId; sharer: Username; now: Seconds },
): Promise<void> {
  await tx.query(
    `insert into screen_shares (share_id, channel, sharer, started_ts, seen_ts, state)
     values ($1, $2, $3, $4, $4, 'active')`,
    [share.share_id, share.channel, share.sharer, share.now],
  )
}

/** Ends a user's active shares in one channel or everywhere, or one of them; returns the ended ones. */
export async function endShares(
  tx: Db,
  sharer: Username,
  which: { channel?: ChannelId | undefined; shareId?: string },
  now: Seconds,
): Promise<{ share_id: string; channel: ChannelId }[]> {
  const { rows } = await tx.query<{ share_id: string; channel: ChannelId }>(
    `update screen_shares
        set state = 'ended', ended_ts = $4
      where sharer = $1
        and state = 'active'
        and ($2::text is null or channel = $2)
        and ($3::uuid is null or share_id = $3)
     returning share_id, channel`,
    [sharer, which.channel ?? null, which.shareId ?? null, now],
  )
  return rows
}

export async function sharersIn(tx: Db, channel: ChannelId): Promise<Username[]> {
  const { rows } = await tx.query<{ sharer: Username }>(
    `select distinct sharer from screen_shares where channel = $1 and state = 'active' order by sharer`,
    [channel],
  )
  return rows.map(row => row.sharer)
}

/** Locks the sharer's membership of a private channel, otherwise their account, until the transaction ends. */
export async function lockMembership(
  tx: Db,
  sharer: Username,
  privateId: number | undefined,
): Promise<boolean> {
  if (privateId === undefined) return (await lockNames(tx, [sharer])).length === 1
  const { rowCount } = await tx.query(
    'select from private_channel_members where channel_id = $1 and username = $2 for key share',
    [privateId, sharer],
  )
  return rowCount === 1
}
