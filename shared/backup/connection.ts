import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import { clientOf } from '#shared/stores/postgres-servers.ts'

const CONNECTS_WITHIN: Milliseconds = 5_000

/**
 * Runs `work` with a connection whose statements may take hours: the length of a COPY is that of the table. TCP's
 * keep-alive probes end the connection to a host that is gone.
 */
export async function withConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted()
  const client = clientOf(url, {
    connectionTimeoutMillis: CONNECTS_WITHIN,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'bothy backup',
  })
  // The running statement rejects too; without a listener, the event ends the process.
  client.on('error', () => {})
  await client.connect()
  // Breaks the connection if a statement runs.
  const stop = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await work(client)
  } finally {
    signal?.removeEventListener('abort', stop)
    await client.end().catch(() => {})
  }
}

/**
 * No time limits, and equal text for equal values whatever the server's defaults. A scan starts at the first page of its
 * table, so that rows come in their order on the disk.
 */
export const SAME_TEXT = `
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set lock_timeout = 0;
  set client_encoding = 'UTF8';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres';
  set timezone = 'UTC';
  set extra_float_digits = 1;
  set bytea_output = 'hex';
  set synchronize_seqscans = off`

export const quoted = (name: string): string => pg.escapeIdentifier(name)

/** False while another process holds it; the end of the connection releases it. */
export async function takeBackupLock(
  client: pg.Client,
  which: 'backup' | 'backupRound' = 'backup',
): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [
    ADVISORY_LOCKS[which],
  ])
  return rows[0]!.ours
}
