import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

const LONGEST = 32
const ENDINGS = ['2', '3', '-2', '-3', ...Array.from({ length: 16 }, (_, i) => String(i + 4))]

/** At most three free names that resemble a taken one. A sign-up may still lose one to another. */
export async function freeNamesLike(db: Db, taken: Username): Promise<Username[]> {
  const { rows } = await db.query<{ name: Username }>(
    `select name
       from unnest($1::text[]) with ordinality as candidate (name, place)
      where not exists (select from users where username_key = lower(name))
        and not exists (select from deleted_names where username_key = lower(name))
        and not exists (select from account_renames where lower(new_username) = lower(name))
        and not exists (select from user_groups where handle_key = lower(name))
      order by place
      limit 3`,
    [ENDINGS.map(ending => taken.slice(0, LONGEST - ending.length) + ending)],
  )
  return rows.map(row => row.name)
}
