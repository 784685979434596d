import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Returns the members of a private channel in order of joining. */
export async function membersOf(db: Db, privateId: number): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    'select username from private_channel_members where channel_id = $1 order by join_order',
    [privateId],
  )
  return rows.map(row => row.username)
}
