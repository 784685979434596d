import { holdMembership } from '#shared/access/private-channel.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Username } from '#shared/domain/units.ts'
import type { WriteName } from '#shared/notices/invalidations.ts'
import { runStatement, runTransaction, type ScopeOf } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Runs a one-statement write to the contents of a channel. In a private channel it holds the writer's membership
 * meanwhile, so that nothing is changed there after a departure.
 */
export function runInChannel<T>(
  stores: Stores,
  name: WriteName,
  channel: ReadableChannel,
  scope: ScopeOf<T>,
  writer: Username,
  statement: (db: Db) => Promise<T>,
): Promise<T> {
  const { privateId } = channel
  if (privateId === undefined) {
    return runStatement(stores, name, scope, db => stores.rowLockQueues.run(channel.id, () => statement(db)))
  }
  // Outside the transaction, which occupies a connection from its start.
  return stores.rowLockQueues.run(channel.id, () =>
    runTransaction(stores, name, scope, async tx => {
      if (!(await holdMembership(tx, privateId, writer))) throw errors.forbidden()
      return statement(tx)
    }),
  )
}
