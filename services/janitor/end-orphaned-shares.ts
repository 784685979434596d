import { deleteSignals } from '#shared/calls/delete-signals.ts'
import { TAB_FRESH } from '#shared/domain/presence.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Invalidated } from '#shared/notices/invalidated.ts'
import { runCollectingTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** As in a call (interface 4.8). */
const SILENT_AFTER: Seconds = TAB_FRESH

interface OrphanedShare {
  share_id: string
  sharer: Username
  /** False for a deleted or deactivated account, and in an archived channel. */
  is_allowed: boolean
}

/**
 * Ends shares of absent sharers: no tab of theirs has an open stream or reports presence, and they do not fetch the
 * share's signals. Each of the three keeps a share alive, since a client need not do all of them. Shares of deleted
 * and deactivated accounts and in archived channels end at once.
 */
export async function endOrphanedShares(stores: Stores): Promise<number> {
  const silentSince = stores.clock.now() - SILENT_AFTER
  let ended = 0
  for (const share of await silentShares(stores.db, silentSince)) {
    if (share.is_allowed && (await hasOpenStream(stores, share.sharer))) continue
    ended += await runCollectingTransaction(stores, (tx, invalidated) =>
      endShare(tx, invalidated, share, silentSince, stores),
    )
  }
  return ended
}

const IS_ALLOWED = `(
  users.state is not distinct from 'active'
  and not exists (select from channel_properties properties
                   where properties.channel = share.channel and properties.archived_ts is not null))`

async function silentShares(db: Db, silentSince: Seconds): Promise<OrphanedShare[]> {
  const { rows } = await db.query<OrphanedShare>(
    `select share_id, sharer, ${IS_ALLOWED} as is_allowed
       from screen_shares share
       left join users on users.username = share.sharer
      where share.state = 'active'
        and (not ${IS_ALLOWED}
             or seen_ts < $1
                and not exists (select from presence where presence.username = share.sharer and last_seen >= $1))
      order by share_id`,
    [silentSince],
  )
  return rows
}

/** Gateways claim a slot for each stream while limits are on; a Redis error keeps the share. */
async function hasOpenStream({ redis, keys, clock }: Stores, viewer: Username): Promise<boolean> {
  return (await redis.zcount(keys.streamsOf(viewer), clock.now(), '+inf')) > 0
}

async function endShare(
  tx: Db,
  invalidated: Invalidated[],
  { share_id, sharer, is_allowed }: OrphanedShare,
  silentSince: Seconds,
  { clock }: Stores,
): Promise<number> {
  const { rows } = await tx.query<{ channel: ChannelId }>(
    `update screen_shares
        set state = 'ended', ended_ts = $3
      where share_id = $1 and state = 'active' and (seen_ts < $2 or not $4)
     returning channel`,
    [share_id, silentSince, clock.now(), is_allowed],
  )
  for (const { channel } of rows) {
    await deleteSignals(tx, share_id)
    invalidated.push({ name: 'endShare', channel, users: [sharer] })
  }
  return rows.length
}
