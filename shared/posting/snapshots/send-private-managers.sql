with author as (
    select username from users where username = $3 and state is not distinct from 'active' for share
  ), allowed as (
    select coalesce(history_start_ts, 0) as history_start
      from private_channel_members
     where channel_id = $14 and username = $3 and exists (select from author)
       for key share
  ), tick as (
    update channels channel
      set clock_us = greatest(now.first_us + $2 - 1, channel.clock_us + $2),
          newest_ts = (greatest(now.first_us + $2 - 1, channel.clock_us + $2)) / 1000000::double precision,
          message_count = channel.message_count + $2
     from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as first_us from allowed) now
    where channel.id = $1 and (channel.posting = 'everyone'
  or (channel.posting = 'managers'
      and exists (select from users account where account.username = $3 and (
  account.role in ('owner', 'admin')
  or 
  account.role <> 'guest'
  and exists (select from channel_managers manager where manager.channel = $1 and manager.username = account.username)
  or account.username = (
       select other.username
         from private_channel_members other
         join users on users.username = other.username
        where other.channel_id = $14 and users.state = 'active' and users.role <> 'guest'
          and not exists (
                select from channel_managers manager
                  join private_channel_members managing
                    on managing.channel_id = $14 and managing.username = manager.username
                  join users active on active.username = manager.username
                 where manager.channel = $1 and active.state = 'active' and active.role <> 'guest')
        order by other.join_order
        limit 1)))))
   returning channel.clock_us, channel.message_count
  ), posted as (
    insert into messages (channel, ord, sender, content, filename, ts, reply_to_id, thread_id, part, mentions, extra,
                          content_type)
    select $1, message_count - $2 + place, $3, item.content, item.filename,
           (clock_us - $2 + place) / 1000000::double precision,
           parent.id, parent.root_id,
           case when $11::bigint is not null
                then least(message_count - $2 + place - $11 + 1, 32767)
                when place = 1 then 0
                else place end,
           case when place = 1 then $7 end,
           item.extra::jsonb, 'text'
      from tick
     cross join unnest($4::text[], $5::text[], $10::text[])
                with ordinality as item (content, filename, extra, place)
      left join (
           select parent.id,
                  coalesce(parent.thread_id, case when parent.reply_to_id is null then parent.id else thread_root(parent.id) end) as root_id
             from messages parent, allowed
            where parent.id = $6 and parent.channel is not distinct from $1 and parent.ts >= allowed.history_start
           ) parent on true
    returning id, ts, ord, reply_to_id, thread_id
  ), mentioned as (
    insert into message_mentions (channel, username, ts, message_id)
    select $1, name, first.ts, first.id
      from (select id, ts from posted order by ts limit 1) first
     cross join unnest($8::text[]) as name
  ), remembered as (
    insert into client_ids (sender, client_id, message_id, ts, path)
    select $3, $9::uuid, id, ts, $12::text
      from posted
     where $9::uuid is not null
     order by ts limit 1
  ), marker as (
    insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord, unread_from_ts, unread_from_ord)
    select $1, $3, case when is_read then ts else 0 end, case when is_read then ord else 0 end,
           case when not is_read then 0.000001 end, case when not is_read then 1 end
      from (select max(ts) as ts, max(ord) as ord, not $13::boolean or min(ord) = 1 as is_read
              from posted
            having max(ts) is not null) sent
    on conflict (channel, username) do update
       set (last_read_ts, last_read_ord, unread_from_ts, unread_from_ord) = (
             select case when is_read then greatest(marker.last_read_ts, sent.ts) else marker.last_read_ts end,
                    case when is_read then greatest(marker.last_read_ord, sent.ord) else marker.last_read_ord end,
                    case when not is_read then coalesce(marker.unread_from_ts, marker.last_read_ts + 0.000001) end,
                    case when not is_read then coalesce(marker.unread_from_ord, marker.last_read_ord + 1) end
               from (select max(ts) as ts, max(ord) as ord,
                            not $13::boolean
                              or (marker.unread_from_ts is null and marker.last_read_ord = min(ord) - 1) as is_read
                       from posted) sent)
  )
  select id, ts, ord, false as joins, false as opens,
         
  case when posted.reply_to_id is not null
       then followers_of(posted.thread_id, posted.reply_to_id, 13) end as followers,
         not $13::boolean and exists (
           select from read_watermarks
            where channel = $1 and username = $3 and unread_from_ts is not null) as "endsMark"
    from posted
   order by ts
