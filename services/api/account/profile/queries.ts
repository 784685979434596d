import { ACCOUNT_LOCK } from '#shared/access/account-locks.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { ProfileChange } from './profile-fields.ts'

/** Changes the given fields; returns whether anything changed. */
export async function setProfile(db: Db, username: Username, change: ProfileChange): Promise<boolean> {
  const { rowCount } = await db.query(
    `update users
        set display_name = chosen.display_name,
            title = chosen.title,
            timezone = chosen.timezone
       from (select username,
                    case when $2::jsonb ? 'display_name' then $2 ->> 'display_name' else display_name end as display_name,
                    case when $2::jsonb ? 'title' then $2 ->> 'title' else title end as title,
                    case when $2::jsonb ? 'timezone' then $2 ->> 'timezone' else timezone end as timezone
               from users
              where username = $1
                ${ACCOUNT_LOCK.row}) chosen
      where users.username = chosen.username
        and (users.display_name, users.title, users.timezone)
            is distinct from (chosen.display_name, chosen.title, chosen.timezone)`,
    [username, JSON.stringify(change)],
  )
  return rowCount === 1
}
