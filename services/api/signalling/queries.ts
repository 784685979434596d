import type { Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Of a whole session, or only those from and to one person. */
export async function deleteSignals(tx: Db, sessionId: string, username?: Username): Promise<void> {
  await tx.query(
    'delete from signals where session_id = $1 and ($2::text is null or $2 in (sender, recipient))',
    [sessionId, username ?? null],
  )
}

export async function deleteMedia(tx: Db, sessionId: string, sender?: Username): Promise<void> {
  await tx.query('delete from media_chunks where session_id = $1 and ($2::text is null or sender = $2)', [
    sessionId,
    sender ?? null,
  ])
}
