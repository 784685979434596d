import type { Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { deleteMedia, deleteSignals } from './queries.ts'

/** A call or a share is over: nothing of it waits to be read any more. */
export async function forgetSession(tx: Db, sessionId: string): Promise<void> {
  await deleteSignals(tx, sessionId)
  await deleteMedia(tx, sessionId)
}

/** Somebody has left a call that goes on: if they come back, they begin anew. */
export async function forgetLeaver(tx: Db, sessionId: string, leaver: Username): Promise<void> {
  await deleteSignals(tx, sessionId, leaver)
  await deleteMedia(tx, sessionId, leaver)
}
