import { managesPrivate, managesPublic } from '#shared/access/access-of.ts'
import { seconds, takeMessageTimes, takeTimesOfMessages } from '#shared/channels/channel-clock.ts'
import { positions, prepared } from '#shared/stores/postgres.ts'
import { followersOf } from './followers.ts'

/*
 * A statement per kind of channel; their whole texts are in `snapshots/`. Each locks the sender, takes the channel's next
 * times if the sender may write there, and inserts the rows and what belongs to them. Conditions beside a unique key are
 * `is not distinct from`, which no index serves: the plan of a prepared statement, made while the tables were small, must
 * use the key.
 */

/** Parameters by name: `$.sender` is `$3`. */
const $ = positions(
  'channel',
  'count',
  'sender',
  'contents',
  'filenames',
  'replyTo',
  'mentions',
  'mentioned',
  'clientId',
  'extras',
  'firstOrd',
  'path',
  'isAway',
  'place',
)

/** The largest smallint. */
const MOST_PARTS = 32_767

/**
 * From `tick`, the channel's times, and `allowed`: the messages, the mentions of the first, its client id, and the sender's
 * read marker. `part` counts from the first row of the send, which may have been sent before. The marker moves to the
 * send, which ends an earlier mark as unread. A sender who is away and had not read all gets a mark after the marker,
 * which counts no own messages.
 */
const ROWS = `posted as (
    insert into messages (channel, ord, sender, content, filename, ts, reply_to_id, thread_id, part, mentions, extra,
                          content_type)
    select ${$.channel}, message_count - ${$.count} + place, ${$.sender}, item.content, item.filename,
           ${seconds(`clock_us - ${$.count} + place`)},
           parent.id, parent.root_id,
           case when ${$.firstOrd}::bigint is not null
                then least(message_count - ${$.count} + place - ${$.firstOrd} + 1, ${MOST_PARTS})
                when place = 1 then 0
                else place end,
           case when place = 1 then ${$.mentions} end,
           item.extra::jsonb, 'text'
      from tick
     cross join unnest(${$.contents}::text[], ${$.filenames}::text[], ${$.extras}::text[])
                with ordinality as item (content, filename, extra, place)
      left join (
           select parent.id,
                  coalesce(parent.thread_id, case when parent.reply_to_id is null then parent.id else thread_root(parent.id) end) as root_id
             from messages parent, allowed
            where parent.id = ${$.replyTo} and parent.channel is not distinct from ${$.channel} and parent.ts >= allowed.history_start
           ) parent on true
    returning id, ts, ord, reply_to_id, thread_id
  ), mentioned as (
    insert into message_mentions (channel, username, ts, message_id)
    select ${$.channel}, name, first.ts, first.id
      from (select id, ts from posted order by ts limit 1) first
     cross join unnest(${$.mentioned}::text[]) as name
  ), remembered as (
    insert into client_ids (sender, client_id, message_id, ts, path)
    select ${$.sender}, ${$.clientId}::uuid, id, ts, ${$.path}::text
      from posted
     where ${$.clientId}::uuid is not null
     order by ts limit 1
  ), marker as (
    insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord, unread_from_ts, unread_from_ord)
    select ${$.channel}, ${$.sender}, case when is_read then ts else 0 end, case when is_read then ord else 0 end,
           case when not is_read then 0.000001 end, case when not is_read then 1 end
      from (select max(ts) as ts, max(ord) as ord, not ${$.isAway}::boolean or min(ord) = 1 as is_read
              from posted
            having max(ts) is not null) sent
    on conflict (channel, username) do update
       set (last_read_ts, last_read_ord, unread_from_ts, unread_from_ord) = (
             select case when is_read then greatest(marker.last_read_ts, sent.ts) else marker.last_read_ts end,
                    case when is_read then greatest(marker.last_read_ord, sent.ord) else marker.last_read_ord end,
                    case when not is_read then coalesce(marker.unread_from_ts, marker.last_read_ts + 0.000001) end,
                    case when not is_read then coalesce(marker.unread_from_ord, marker.last_read_ord + 1) end
               from (select max(ts) as ts, max(ord) as ord,
                            not ${$.isAway}::boolean
                              or (marker.unread_from_ts is null and marker.last_read_ord = min(ord) - 1) as is_read
                       from posted) sent)
  )`

/** The followers of the thread, and whether the sender, who is not away, had a mark as unread. */
const FOLLOWERS_AND_MARK = `${followersOf('posted')} as followers,
         not ${$.isAway}::boolean and exists (
           select from read_watermarks
            where channel = ${$.channel} and username = ${$.sender} and unread_from_ts is not null) as "endsMark"`

/** Everybody may write, according to the row of the channel once it is locked. */
const IS_OPEN = `channel.posting = 'everyone'`

/** The same, or the sender is a manager. */
const isOpenOrManagedBy = (manages: string) => `${IS_OPEN}
  or (channel.posting = 'managers'
      and exists (select from users account where account.username = ${$.sender} and ${manages}))`

/**
 * `place`: the participants, whose accounts are locked in the order of names, as renaming and deletion do. Not allowed if
 * one of them got another name, which closes the id: rows there would be seen by nobody. The whole history may be replied
 * to. Opens the DM for its participants.
 */
const IN_DM = `
  with people as materialized (
    select username, state from users where username = any(${$.place}::text[]) order by username for share
  ), allowed as (
    select 0::double precision as history_start
      from people
     where username = ${$.sender}
       and state is not distinct from 'active'
       and (select count(*) from people) = (select count(*) from users where username = any(${$.place}::text[]))
       and not exists (select from unnest(${$.place}::text[]) as name where account_named(name) <> name)
  ), tick as (
    ${takeMessageTimes($.channel, $.count, 'allowed')}
  ), ${ROWS}, participants as (
    insert into dm_participants (username, channel)
    select users.username, ${$.channel}
      from tick cross join users
     where users.username = any(${$.place}::text[])
    on conflict do nothing
    returning username
  )
  select id, ts, ord,
         exists (select from participants) or exists (
           select from hidden_dms hidden
             join channels channel on channel.id = hidden.channel
            where hidden.channel = ${$.channel}
              and hidden.username = any(${$.place}::text[])
              and hidden.hidden_ts >= channel.newest_ts) as opens,
         false as joins,
         ${FOLLOWERS_AND_MARK}
    from posted
   order by ts`

/** Joins the channel for a sender who has not. */
const JOINING = `joining as (
    insert into channel_memberships as membership (username, channel, joined, changed_ts)
    select ${$.sender}, ${$.channel}, true, ${seconds('clock_us')}
      from tick cross join allowed
     where not allowed.joined
    on conflict (username, channel) do update
       set joined = true, changed_ts = excluded.changed_ts
    returning username
  )`

/** A channel of the settings, whose members have joined by default. Locks the sender's account. */
const inConfigured = (mayWrite: string) => `
  with allowed as (
    select 0::double precision as history_start,
           coalesce((select joined from channel_memberships where username = account.username and channel = ${$.channel}),
                    true) as joined
      from users account
     where account.username = ${$.sender}
       and account.state is not distinct from 'active'
       and account.role <> 'guest'
       for share of account
  ), tick as (
    ${takeMessageTimes($.channel, $.count, 'allowed', mayWrite)}
  ), ${ROWS}, ${JOINING}
  select id, ts, ord, exists (select from joining) as joins, false as opens,
         ${FOLLOWERS_AND_MARK}
    from posted
   order by ts`

/** Made with its row, which only the deletion of the channel removes: a send does not bring it back. */
const inMadeHere = (mayWrite: string) => `
  with allowed as (
    select 0::double precision as history_start,
           coalesce((select joined from channel_memberships where username = account.username and channel = ${$.channel}),
                    (select is_default from channel_properties where channel = ${$.channel})) as joined
      from users account
     where account.username = ${$.sender}
       and account.state is not distinct from 'active'
       and account.role <> 'guest'
       and exists (
           select from channel_properties where channel = ${$.channel} and kind is not distinct from 'public' and made_here)
       for share of account
  ), tick as (
    ${takeTimesOfMessages($.channel, $.count, 'allowed', mayWrite)}
  ), ${ROWS}, ${JOINING}
  select id, ts, ord, exists (select from joining) as joins, false as opens,
         ${FOLLOWERS_AND_MARK}
    from posted
   order by ts`

/** Guests, who read the channels that they have joined. Locks the sender's account and membership, as removal does. */
const GUEST_IN_CONFIGURED = `
  with author as (
    select username from users where username = ${$.sender} and state is not distinct from 'active' for share
  ), allowed as (
    select 0::double precision as history_start
      from channel_memberships
     where username = ${$.sender} and channel = ${$.channel} and joined and exists (select from author)
       for share
  ), tick as (
    ${takeMessageTimes($.channel, $.count, 'allowed', IS_OPEN)}
  ), ${ROWS}
  select id, ts, ord, false as joins, false as opens,
         ${FOLLOWERS_AND_MARK}
    from posted
   order by ts`

/** The same in a channel made here. */
const GUEST_IN_MADE_HERE = `
  with author as (
    select username from users where username = ${$.sender} and state is not distinct from 'active' for share
  ), allowed as (
    select 0::double precision as history_start
      from channel_memberships
     where username = ${$.sender} and channel = ${$.channel} and joined and exists (select from author)
       and exists (
           select from channel_properties where channel = ${$.channel} and kind is not distinct from 'public' and made_here)
       for share
  ), tick as (
    ${takeTimesOfMessages($.channel, $.count, 'allowed', IS_OPEN)}
  ), ${ROWS}
  select id, ts, ord, false as joins, false as opens,
         ${FOLLOWERS_AND_MARK}
    from posted
   order by ts`

/** `place`: the id of the channel. Locks the sender's account and membership, as leaving and deletion do. */
const inPrivate = (mayWrite: string) => `
  with author as (
    select username from users where username = ${$.sender} and state is not distinct from 'active' for share
  ), allowed as (
    select coalesce(history_start_ts, 0) as history_start
      from private_channel_members
     where channel_id = ${$.place} and username = ${$.sender} and exists (select from author)
       for key share
  ), tick as (
    ${takeTimesOfMessages($.channel, $.count, 'allowed', mayWrite)}
  ), ${ROWS}
  select id, ts, ord, false as joins, false as opens,
         ${FOLLOWERS_AND_MARK}
    from posted
   order by ts`

const managesHere = isOpenOrManagedBy(managesPublic($.channel))

/** By the kind of the channel and who may write there. Frequent ones are prepared. */
export const SEND = {
  dm: IN_DM,
  configured: {
    everyone: prepared(inConfigured(IS_OPEN)),
    managers: inConfigured(managesHere),
    guest: prepared(GUEST_IN_CONFIGURED),
  },
  madeHere: {
    everyone: prepared(inMadeHere(IS_OPEN)),
    managers: inMadeHere(managesHere),
    guest: prepared(GUEST_IN_MADE_HERE),
  },
  private: {
    everyone: prepared(inPrivate(IS_OPEN)),
    managers: inPrivate(isOpenOrManagedBy(managesPrivate($.channel, $.place))),
  },
}
