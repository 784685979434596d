import type { MePayload } from '#shared/domain/payloads.ts'
import { rightsOf } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import type { GlobalCollection } from './collection.ts'

/** The viewer's own account: profile, role and rights, for admins the number of approvals. Nothing of the session. */
export const me: GlobalCollection<'me'> = {
  event: 'me',
  scope: 'global',
  minInterval: 500,

  /** Without an entry for an account that was deleted meanwhile. */
  async read({ db, settings }, viewers) {
    const { rows } = await db.query<Omit<MePayload, 'may' | 'approvals'> & { approvals: number | null }>(
      `select username, display_name, title, email, email_verified_ts is not null as email_verified, role, timezone,
              coalesce(hashtext(prefs::text), 0) as preferences_rev,
              coalesce(lists.rev, 0) as later_rev, coalesce(lists.drafts_rev, 0) as drafts_rev,
              case when lists.rev is null then 0
                   else (select count(*)::integer from saved
                          where saved.username = users.username and done_ts is null) end as saved,
              case when lists.rev is null then 0
                   else (select count(*)::integer from saved
                          where saved.username = users.username and done_ts is null and reminded_ts is not null) end as due,
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
    return new Map<Username, MePayload>(
      rows.map(({ approvals, ...row }) => {
        const may = rightsOf(row.role, settings.current)
        return [row.username, { ...row, may, ...(approvals === null ? {} : { approvals }) }]
      }),
    )
  },
}
