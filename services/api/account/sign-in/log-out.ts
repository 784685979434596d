import type { Request } from 'express'
import type { Username } from '#shared/domain/units.ts'
import { noteEnded } from '#shared/http/ended-sessions.ts'
import { runStatement } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { goOffline } from '../sessions/go-offline.ts'

/** Interface 5.6. Ends the session first, so that a copied cookie is useless even if the rest fails. */
export async function logOut(stores: Stores, req: Request, viewer: Username): Promise<void> {
  const { redis, keys } = stores
  const id = req.sessionID
  await noteEnded(stores.db, [id])
  await new Promise<void>((resolve, reject) => req.session.destroy(err => (err ? reject(err) : resolve())))
  await redis.zrem(keys.sessionsOf(viewer), id)
  // The last state of this browser's tabs would otherwise still count beside tabs elsewhere.
  await redis.del(keys.tabsOf(viewer))
  await runStatement(stores, 'logOut', { endedSessions: [id] }, db => goOffline(db, viewer))
}
