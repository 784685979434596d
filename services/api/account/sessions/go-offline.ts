import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Interface 3.3, Logout. */
export async function goOffline(db: Db, username: Username) {
  await db.query(
    `update presence
        set state = 'offline',
            override = null
      where username = $1`,
    [username],
  )
}
