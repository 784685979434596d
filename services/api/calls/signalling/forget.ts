import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { deleteMedia, deleteSignals } from './queries.ts'

/** Deletes the signals and media of an ended call or share. */
export async function forgetSession(tx: Db, sessionId: string): Promise<void> {
  await deleteSignals(tx, sessionId)
  await deleteMedia(tx, sessionId)
}

/** Deletes a leaver's signals and media; on return they start from scratch. */
export async function forgetLeaver(tx: Db, sessionId: string, leaver: Username): Promise<void> {
  await deleteSignals(tx, sessionId, leaver)
  await deleteMedia(tx, sessionId, leaver)
}
