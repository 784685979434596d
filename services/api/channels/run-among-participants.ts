import { lockParticipants } from '#shared/access/lock-participants.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import type { WriteName } from '#shared/notices/invalidations.ts'
import { runStatement, runTransaction, type ScopeOf } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Runs a one-statement write about a channel, which needs no clock. The id of a DM stays as it is meanwhile, or 503. */
export function runAmongParticipants<T>(
  stores: Stores,
  name: WriteName,
  channel: ChannelId,
  scope: ScopeOf<T>,
  statement: (db: Db) => Promise<T>,
): Promise<T> {
  if (!channel.startsWith('dm:')) return runStatement(stores, name, scope, statement)
  return runTransaction(stores, name, scope, async tx => {
    await lockParticipants(tx, channel)
    return statement(tx)
  })
}
