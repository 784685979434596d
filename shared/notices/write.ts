import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Invalidated, publishInvalidated } from './invalidated.ts'
import { noticeOf, type Scope, type WriteName } from './invalidations.ts'
import { publishNotice } from './outbox.ts'

/** The scope of a write: known beforehand, or computed from the result of the work. */
export type ScopeOf<T> = Scope | ((result: Exclude<T, typeof unchanged>) => Scope | Promise<Scope>)

/**
 * Runs a write: one transaction, then exactly one notice (architecture 2.3), or none if `work` returns `unchanged`.
 */
export async function runTransaction<T>(
  stores: Stores,
  name: WriteName,
  scope: ScopeOf<T>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return published(stores, name, scope, await inTransaction(stores.pool, work))
}

/** Like `runTransaction` for a single statement, which needs no explicit transaction: one round trip, one lock. */
export async function runStatement<T>(
  stores: Stores,
  name: WriteName,
  scope: ScopeOf<T>,
  statement: (db: Db) => Promise<T>,
): Promise<T> {
  return published(stores, name, scope, await statement(stores.db))
}

/**
 * Runs a write that finds out only during its work what it invalidates: one transaction, then a notice for each channel
 * of the entries that `work` adds to `invalidated`.
 */
export async function runCollectingTransaction<T>(
  stores: Stores,
  work: (tx: Db, invalidated: Invalidated[]) => Promise<T>,
): Promise<T> {
  const invalidated: Invalidated[] = []
  const result = await inTransaction(stores.pool, tx => work(tx, invalidated))
  await publishInvalidated(stores, invalidated)
  return result
}

async function published<T>(stores: Stores, name: WriteName, scope: ScopeOf<T>, result: T): Promise<T> {
  if (result !== unchanged) {
    const where = await resolved(scope, result as Exclude<T, typeof unchanged>)
    await publishNotice(stores, noticeOf(name, where))
  }
  return result
}

/** Falls back to everybody on an error, because the write is committed. */
async function resolved<T>(scope: ScopeOf<T>, result: Exclude<T, typeof unchanged>): Promise<Scope> {
  if (typeof scope !== 'function') return scope
  try {
    return await scope(result)
  } catch (err) {
    log.warn({ err }, 'scope of a write unknown')
    return {}
  }
}

export const unchanged = Symbol('unchanged')
