import type { Username } from '#shared/domain/units.ts'
import { isReserved, withEnding } from '#shared/domain/username.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { SIGN_UP } from './sign-up.ts'

const ENDINGS = ['2', '3', '-2', '-3', ...Array.from({ length: 16 }, (_, i) => String(i + 4))]
/** Endings of usernames made from a name: none, `-2`, `-3` and so on. */
const NUMBERS = ['', ...Array.from({ length: 98 }, (_, i) => `-${i + 2}`)]

const IS_FREE = `
  not exists (select from users where username_key = lower(name))
  and not exists (select from deleted_names where username_key = lower(name))
  and not exists (select from account_renames where lower(new_username) = lower(name))
  and not exists (select from user_groups where handle_key = lower(name))`

/** At most three free names that resemble a taken one. A sign-up may still lose one to another. */
export async function freeNamesLike(db: Db, taken: Username): Promise<Username[]> {
  const { rows } = await db.query<{ name: Username }>(
    `select name
       from unnest($1::text[]) with ordinality as candidate (name, place)
      where ${IS_FREE}
      order by place
      limit 3`,
    [ENDINGS.map(ending => withEnding(taken, ending))],
  )
  return rows.map(row => row.name)
}

interface Candidate {
  username: Username
  /** The account that the same form made: the request is repeated. */
  isMade: boolean
}

/** Usernames for a name, in the order to try them: the account made by `clientId`, then at most three free ones. */
export async function candidatesFor(
  db: Db,
  made: Username,
  clientId: string | undefined,
): Promise<Candidate[]> {
  const names = NUMBERS.map(ending => withEnding(made, ending)).filter(name => !isReserved(name))
  const { rows } = await db.query<Candidate>(
    `(select username, true as "isMade"
        from made_once
       where username = any($1) and client_id = $2 and path = $3)
     union all
     (select name, false
        from unnest($1::text[]) with ordinality as candidate (name, place)
       where ${IS_FREE}
       order by place
       limit 3)`,
    [names, clientId ?? null, SIGN_UP],
  )
  return rows
}
