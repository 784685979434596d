import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import { isStatementTimeout } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A read of whole tables may hold a connection this long. */
const STATEMENT: Milliseconds = 3_000

/** Runs the statements of a read that grows with the workspace. Throws 503 with the sentence when one takes too long. */
export async function withinTime<T>(
  stores: Stores,
  sentence: string,
  read: (stores: Stores) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(stores.pool, db => read({ ...stores, db }), { statement: STATEMENT })
  } catch (err) {
    // A wait for a lock ends at the same time.
    if (!isStatementTimeout(err) && (err as { code?: string }).code !== '55P03') throw err
    throw errors.coded(503, 'unavailable', sentence)
  }
}
