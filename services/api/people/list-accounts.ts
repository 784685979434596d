import type { Request } from 'express'
import type { Page } from '#shared/domain/payloads.ts'
import { type AccountKind, type AccountState, ROLES, type Role } from '#shared/domain/roles.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { usesOfSessions } from '../accounts/sessions.ts'
import { pageLimit, wordIn, wordsIn } from '../middleware/paging.ts'

export interface AccountFilter {
  /** Part of username, display name or address, in any case. */
  q: string | undefined
  role: Role | undefined
  state: AccountState | undefined
  kind: AccountKind | undefined
  limit: number
  /** The last username_key of the previous page. */
  after: string
}

/** An item of GET /admin/people (interface 10.21). */
export interface AccountPayload {
  username: Username
  display_name: string | null
  title: string | null
  email: string | null
  role: Role
  state: AccountState
  kind: AccountKind
  created_ts: Seconds
  /** To the minute; null for somebody never seen. */
  last_seen_ts: Seconds | null
  sessions: number
  second_factor: boolean
  invited_by: string | null
}

type Row = Omit<AccountPayload, 'sessions' | 'second_factor'>

const STATES = ['active', 'pending', 'deactivated'] as const satisfies readonly AccountState[]
const KINDS = ['person', 'bot'] as const satisfies readonly AccountKind[]

export function accountFilterIn(query: Request['query']): AccountFilter {
  const { cursor } = query
  const after = cursor === undefined ? '' : String(cursor)
  if (cursor !== undefined && !isUsername(after)) throw errors.invalid('cursor must be that of a page')
  return {
    q: wordsIn('q', query['q'])?.trim(),
    role: wordIn('role', ROLES, query['role']),
    state: wordIn('state', STATES, query['state']),
    kind: wordIn('kind', KINDS, query['kind']),
    limit: pageLimit(query),
    after,
  }
}

export interface AccountPage extends Page<AccountPayload> {
  /** Numbers of all accounts of persons, the active ones by role; on the first page only. */
  counts?: Record<Role | 'deactivated', number>
}

/** A page of accounts by name. */
export async function listAccounts(stores: Stores, filter: AccountFilter): Promise<AccountPage> {
  const found = await accountsBy(stores.db, filter)
  const rows = found.slice(0, filter.limit)
  const items = await withSessions(stores, rows)
  const next = found.length > filter.limit ? items.at(-1)!.username.toLowerCase() : null
  return { items, next, ...(filter.after === '' && { counts: await countAccounts(stores.db) }) }
}

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
  return rows.map(({ last_seen_ts, invited_by, ...row }) => {
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

async function accountsBy(db: Db, { q, role, state, kind, limit, after }: AccountFilter): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `select username, display_name, title, email, role, users.state, kind, created_ts,
            presence.last_seen as last_seen_ts, invited_by
       from users
       left join presence using (username)
      where username_key > $1
        and ($2::text is null
             or username_key like $2 or lower(display_name) like $2 or lower(email) like $2)
        and ($3::text is null or role = $3)
        and ($4::text is null or users.state = $4)
        and ($5::text is null or kind = $5)
      order by username_key
      limit $6`,
    [after, q === undefined ? null : patternOf(q), role ?? null, state ?? null, kind ?? null, limit + 1],
  )
  return rows
}

const patternOf = (q: string) => `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
