import type { ChannelId, Username } from '#shared/rules/units.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { appendNotice } from './notice-log.ts'
import { TOUCHES, type WriteName } from './touches.ts'

export interface Scope {
  channel?: ChannelId
  /** Whom the change concerns; everybody when absent. */
  users?: readonly Username[]
  /** A session that this write ended. */
  endedSession?: string
}

/**
 * The unit of work: one transaction, then exactly one notice (architecture 2.3). `work` may answer `unchanged`
 * to say that nothing happened, so that nobody looks.
 */
export async function write<T>(
  stores: Stores,
  name: WriteName,
  scope: Scope,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return published(stores, name, scope, await inTransaction(stores.pool, work))
}

/** The same for a write that is one statement, which is its own transaction: one round trip, one lock. */
export async function writeOnce<T>(
  stores: Stores,
  name: WriteName,
  scope: Scope,
  statement: (db: Db) => Promise<T>,
): Promise<T> {
  return published(stores, name, scope, await statement(stores.db))
}

async function published<T>(stores: Stores, name: WriteName, scope: Scope, result: T): Promise<T> {
  if (result !== unchanged)
    await appendNotice(stores.redis, stores.keys, { collections: TOUCHES[name], ...scope })
  return result
}

export const unchanged = Symbol('unchanged')
