import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import { READABLE_SAVED } from '#shared/access/readable-saved.ts'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import { rightsOf } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { GlobalCollection } from './collection.ts'
import { atOneMoment } from './one-moment.ts'

type Row = Omit<MePayload, 'may' | 'approvals' | 'saved' | 'due'> & { approvals: number | null }

/** The viewer's own account: profile, role and rights, for admins the number of approvals. Nothing of the session. */
export const me: GlobalCollection<'me'> = {
  event: 'me',
  scope: 'global',
  minInterval: 500,

  /** Without an entry for an account that is deleted. */
  read: (stores, viewers) => atOneMoment(stores, then => readAccounts(then, viewers)),
}

async function readAccounts(stores: Stores, viewers: Username[]): Promise<Map<Username, MePayload>> {
  const { db, settings } = stores
  const { rows } = await db.query<Row>(
    `select username, display_name, title, email, email_verified_ts is not null as email_verified, role, timezone,
            coalesce(hashtext(prefs::text), 0) as preferences_rev,
            coalesce(lists.rev, 0) as later_rev, coalesce(lists.drafts_rev, 0) as drafts_rev,
            case when lists.rev is null then 0
                 else (select count(*)::integer from scheduled
                        where scheduled.username = users.username and scheduled.state = 'waiting') end as scheduled,
            case when lists.rev is null then 0
                 else (select count(*)::integer from scheduled
                        where scheduled.username = users.username and scheduled.state = 'failed'
                          and ended_ts > extract(epoch from now()) - 30 * 24 * 3600) end as failed,
            case when role in ('owner', 'admin')
                 then (select count(*)::integer from users where state = 'pending')
            end as approvals
       from users
       left join preferences using (username)
       left join own_lists lists using (username)
      where username = any($1)`,
    [viewers],
  )
  const saved = await countSaved(
    stores,
    rows.filter(row => row.later_rev > 0).map(row => row.username),
  )
  return new Map<Username, MePayload>(
    rows.map(({ approvals, ...row }) => {
      const may = rightsOf(row.role, settings.current)
      const counts = saved.get(row.username) ?? { saved: 0, due: 0 }
      return [row.username, { ...row, ...counts, may, ...(approvals === null ? {} : { approvals }) }]
    }),
  )
}

/** Open saved messages that the viewers may read, as their lists show them. */
async function countSaved(stores: Stores, viewers: Username[]) {
  if (viewers.length === 0) return new Map<Username, never>()
  const { rows } = await stores.db.query<{ username: Username; saved: number; due: number }>(
    `select saved.username, count(*)::integer as saved, count(saved.reminded_ts)::integer as due
       from ${READABLE_SAVED}
      where saved.username = any($1) and saved.done_ts is null
      group by saved.username`,
    readableChannelsValues(stores, viewers),
  )
  return new Map(rows.map(({ username, ...counts }) => [username, counts]))
}
