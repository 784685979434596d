import type { Db } from '#shared/stores/postgres.ts'

/**
 * A server under load: each message without parameters that begins while the limit of a step holds takes longer than this
 * limit.
 */
export function slowAfterSteps(db: Db, onSlow: () => void): Db {
  let limit = 0
  return {
    async query(statement, values) {
      const text = typeof statement === 'string' && values === undefined ? statement : undefined
      const isSlow = text !== undefined && limit > 0
      if (isSlow) onSlow()
      try {
        const result = isSlow
          ? await db.query<never>(`select pg_sleep(${(limit + 30) / 1000}); ${text}`)
          : await db.query<never>(statement, values)
        if (text !== undefined) limit = Number(/set local statement_timeout = (\d+)$/.exec(text)?.[1] ?? 0)
        return result
      } catch (error) {
        // The failure has ended the limit.
        limit = 0
        throw error
      }
    },
  }
}
