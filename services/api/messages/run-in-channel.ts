import { lockParticipants } from '#shared/access/lock-participants.ts'
import { lockMembership } from '#shared/access/private-channel.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Username } from '#shared/domain/units.ts'
import type { WriteName } from '#shared/notices/invalidations.ts'
import { runStatement, runTransaction, type ScopeOf } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Runs a one-statement write to a channel, in its queue. It holds the writer's membership of a private channel, so that
 * nothing is changed there after a departure, and the participants of a DM, whose id changes with their names.
 */
export function runInChannel<T>(
  stores: Stores,
  name: WriteName,
  channel: ReadableChannel,
  scope: ScopeOf<T>,
  writer: Username,
  statement: (db: Db) => Promise<T>,
): Promise<T> {
  const { privateId, kind } = channel
  if (kind === 'public') {
    return runStatement(stores, name, scope, db => stores.rowLockQueues.run(channel.id, () => statement(db)))
  }
  // Outside the transaction, which occupies a connection from its start.
  return stores.rowLockQueues.run(channel.id, () =>
    runTransaction(stores, name, scope, async tx => {
      await lockParticipants(tx, channel.id)
      if (privateId !== undefined && !(await lockMembership(tx, privateId, writer))) throw errors.forbidden()
      return statement(tx)
    }),
  )
}
