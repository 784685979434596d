import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Reads a payload of several statements as it was at one moment, so that its parts agree: a list and its number, a
 * revision and what it stands for, rights and those who have them.
 */
export const atOneMoment = <T>(stores: Stores, read: (stores: Stores) => Promise<T>): Promise<T> =>
  inTransaction(stores.pool, db => read({ ...stores, db }), { snapshot: true })
