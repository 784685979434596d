import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Deletes the signals and media of an ended call or share. */
export async function deleteSignals(tx: Db, sessionId: string): Promise<void> {
  await tx.query('delete from signals where session_id = $1', [sessionId])
  await tx.query('delete from media_chunks where session_id = $1', [sessionId])
}

/** Deletes the signals from and to a leaver, and their media; on return they start from scratch. */
export async function deleteSignalsOf(tx: Db, sessionId: string, leaver: Username): Promise<void> {
  await tx.query('delete from signals where session_id = $1 and $2 in (sender, recipient)', [
    sessionId,
    leaver,
  ])
  await tx.query('delete from media_chunks where session_id = $1 and sender = $2', [sessionId, leaver])
}
