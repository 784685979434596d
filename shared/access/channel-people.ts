import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId } from '#shared/domain/units.ts'

/*
 * SQL for the people of a channel: those who have joined a public one, members, participants; active accounts only.
 * Guests count as members.
 */

/** SQL: counts of the decisions of active people, by channel: all of them, less those of the few restricted accounts. */
const decisions = (condition: string) => `
  select channel, sum(guests)::integer as guests, sum(joined)::integer as joined, sum(gone)::integer as gone
    from (select membership.channel, 0 as guests,
                 count(*) filter (where membership.joined) as joined,
                 count(*) filter (where not membership.joined) as gone
            from channel_memberships membership
           where ${condition}
           group by membership.channel
          union all
          select membership.channel,
                 count(*) filter (where membership.joined and account.role = 'guest' and account.state = 'active'),
                 - count(*) filter (where membership.joined),
                 - count(*) filter (where not membership.joined)
            from users account
            join channel_memberships membership on membership.username = account.username
           where (account.role = 'guest' or account.state <> 'active') and ${condition}
           group by membership.channel) parts
   group by channel`

/** SQL for (channel, guests, joined, gone) of all public channels with decisions. */
export const DECISIONS_BY_CHANNEL = decisions('true')

/** SQL for (channel, guests, joined, gone) of one public channel; no row without decisions. */
export const decisionsOf = (channel: string): string => decisions(`membership.channel = ${channel}`)

/** SQL: the active accounts that are no guests, who join default channels without a decision. */
export const INSIDERS = `(select count(*)::integer from users where state = 'active' and role <> 'guest')`

/** SQL for the number of people in a public channel; `counted` is a left-joined row of the statements above. */
export const membersOfPublic = (counted: string, isDefault: string): string =>
  `(coalesce(${counted}.guests, 0)
    + case when ${isDefault} then ${INSIDERS} - coalesce(${counted}.gone, 0) else coalesce(${counted}.joined, 0) end)`

/**
 * SQL condition: the account `users` has joined the public channel. `isConfigured`: the channel is in the settings.
 * Guests get no other names from it.
 */
export const hasJoined = (channel: string, isConfigured: string): string => `
  coalesce(
    (select membership.joined
       from channel_memberships membership
      where membership.username = users.username and membership.channel = ${channel}),
    users.role <> 'guest'
    and (${isConfigured} or coalesce(
          (select is_default from channel_properties properties where properties.channel = ${channel}), false)))`

/**
 * SQL for (username, joined_ts) of the people of a channel, and its parameters: `channel` is $1, `rest` is $2.
 * `isDefault`: of a public channel.
 */
export function peopleOf(channel: ChannelId, isDefault: boolean): { sql: string; rest: unknown } {
  const parsed = parseChannelId(channel)
  if (parsed?.kind === 'private') {
    return {
      sql: `select username, joined_ts
              from private_channel_members
             where $1::text is not null and channel_id = $2::bigint`,
      rest: parsed.privateId,
    }
  }
  if (parsed?.kind === 'dm') {
    return {
      sql: `select username, null::double precision as joined_ts
              from unnest($2::text[]) as username
             where $1::text is not null`,
      rest: parsed.participants,
    }
  }
  return {
    sql: `select account.username, case when membership.joined then membership.changed_ts end as joined_ts
            from users account
            left join channel_memberships membership
              on membership.username = account.username and membership.channel = $1
           where coalesce(membership.joined, account.role <> 'guest' and $2::boolean)`,
    rest: isDefault,
  }
}
