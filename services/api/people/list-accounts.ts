import * as v from 'valibot'
import { fold } from '#shared/domain/fold.ts'
import type { AccountPayload, AccountsPayload } from '#shared/domain/payloads/administration.ts'
import { ACCOUNT_KINDS, ACCOUNT_STATES, ROLES, type Role } from '#shared/domain/roles.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { usesOfSessions } from '../account/sessions/sessions.ts'
import * as f from '../middleware/fields.ts'
import { cursorText } from '../middleware/paging.ts'

/** The query of GET /admin/people. */
export const ACCOUNTS = f.fields({
  /** Part of username, display name or address. */
  q: f.words,
  role: f.word(ROLES),
  state: f.word(ACCOUNT_STATES),
  kind: f.word(ACCOUNT_KINDS),
  sort: f.word(['username', 'name']),
  limit: f.limit(),
  /** Folded name (empty when sorted by username) and username_key at the end of the previous page. */
  cursor: f.cursor(v.strictTuple([v.string(), v.string()])),
})
type AccountFilter = v.InferOutput<typeof ACCOUNTS>

/** `key`: folded name; empty when sorted by username. */
type Row = Omit<AccountPayload, 'sessions' | 'second_factor'> & { key: string }

/** A page of accounts by username or name. */
export async function listAccounts(stores: Stores, filter: AccountFilter): Promise<AccountsPayload> {
  const accounts = await accountsBy(stores.db, filter)
  const rows = accounts.slice(0, filter.limit)
  const items = await withSessions(stores, rows)
  const next = accounts.length > filter.limit ? placeAfter(rows.at(-1)!) : null
  return { items, next, ...(!filter.cursor?.[1] && { counts: await countAccounts(stores.db) }) }
}

const placeAfter = ({ key, username }: Row) => cursorText([key, username.toLowerCase()])

async function countAccounts(db: Db): Promise<Record<Role | 'deactivated', number>> {
  const { rows } = await db.query<Record<Role | 'deactivated', number>>(
    `select count(*) filter (where state = 'active' and role = 'owner')::integer as owner,
            count(*) filter (where state = 'active' and role = 'admin')::integer as admin,
            count(*) filter (where state = 'active' and role = 'member')::integer as member,
            count(*) filter (where state = 'active' and role = 'guest')::integer as guest,
            count(*) filter (where state = 'deactivated')::integer as deactivated
       from users
      where kind = 'person'`,
  )
  return rows[0]!
}

async function withSessions(stores: Stores, rows: Row[]): Promise<AccountPayload[]> {
  const uses = await usesOfSessions(
    stores,
    rows.map(row => row.username),
  )
  return rows.map(({ key, last_seen_ts, invited_by, ...row }) => {
    const { sessions, last_used_ts } = uses.get(row.username)!
    const seen = Math.max(last_seen_ts ?? 0, last_used_ts)
    return {
      ...row,
      last_seen_ts: seen === 0 ? null : Math.floor(seen / MINUTE) * MINUTE,
      sessions,
      second_factor: false,
      invited_by,
    }
  })
}

const MINUTE: Seconds = 60

async function accountsBy(db: Db, filter: AccountFilter): Promise<Row[]> {
  const { role, state, kind, sort, limit, cursor: after = ['', ''] } = filter
  const q = filter.q?.trim()
  const { rows } = await db.query<Row>(
    `select username, display_name, title, email, role, users.state, kind, created_ts,
            presence.last_seen as last_seen_ts, invited_by, key
       from users
       left join presence using (username)
      cross join lateral (
        select case when $6 then fold_text(coalesce(display_name, username)) else '' end collate "C" as key) sorted
      where (key, username_key) > ($7::text, $8::text)
        and ($1::text is null
             or username_key like $1 or fold_text(display_name) like $1 or lower(email) like $1)
        and ($2::text is null or role = $2)
        and ($3::text is null or users.state = $3)
        and ($4::text is null or kind = $4)
      order by key, username_key
      limit $5`,
    [
      q === undefined ? null : patternOf(q),
      role ?? null,
      state ?? null,
      kind ?? null,
      limit + 1,
      sort === 'name',
      ...after,
    ],
  )
  return rows
}

const patternOf = (q: string) => `%${fold(q).replace(/[\\%_]/g, '\\$&')}%`
