import type pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { clientOf } from './postgres-servers.ts'

/** Time limit for connecting. */
const CONNECTS_WITHIN: Milliseconds = 5_000
/** A statement without a reply for this long means a silent connection; waits for locks are shorter. */
const REPLIES_WITHIN: Milliseconds = 10_000
/** The longest timer of Node, 24 days. */
const NO_LIMIT: Milliseconds = 2 ** 31 - 1

/**
 * Runs `work` with a connection for the preparation of a database: migrations, roles. Rejects, and never waits for
 * ever, when the connection breaks or falls silent; the caller tries again or ends.
 */
export async function withPreparingClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = clientOf(url, {
    connectionTimeoutMillis: CONNECTS_WITHIN,
    query_timeout: REPLIES_WITHIN,
    // Without a delay, the first probe follows after two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // The running statement rejects too; without a listener, the event ends the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Runs statements that may take hours, such as building an index, without a time limit: any limit would repeat the work
 * of a large installation for ever. TCP's keep-alive probes end the connection to a host that is gone.
 */
export async function runUnlimited(client: pg.Client, text: string): Promise<void> {
  await client.query({ text, query_timeout: NO_LIMIT } as pg.QueryConfig)
}
