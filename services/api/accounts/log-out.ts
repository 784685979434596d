import type { Request } from 'express'
import { noteEnded } from '#shared/http/ended-sessions.ts'
import { writeOnce } from '#shared/notices/write.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { goOffline } from './queries.ts'

/** Interface 5.6. The session ends first: should the rest fail, a copied cookie is of no use all the same. */
export async function logOut(stores: Stores, req: Request, viewer: Username): Promise<void> {
  const { redis, keys } = stores
  const id = req.sessionID
  await noteEnded(stores.db, [id])
  await new Promise<void>((resolve, reject) => req.session.destroy(err => (err ? reject(err) : resolve())))
  await redis.zrem(keys.sessionsOf(viewer), id)
  // What the tabs of this browser said last would go on counting beside the tabs of another.
  await redis.del(keys.tabsOf(viewer))
  await writeOnce(stores, 'logOut', { endedSessions: [id] }, db => goOffline(db, viewer))
}
