-- As in 0053, but no reaction comes after the deactivation of the person, nor after a guest lost the public channel. The
-- locks are those of a send: changes of the account and the membership wait for the reaction, or are seen by it.
create or replace function react(
  of_message bigint, in_channel text, member_of bigint, reactor text, new_emoji text, wanted boolean,
  most_of_person integer, most_of_message integer
) returns table (outcome text, answer text) language plpgsql as $$
declare
  role_now text;
  present boolean;
  may_write text;
  at_us bigint;
begin
  select role into role_now from users where username = reactor and state is not distinct from 'active' for share;
  if not found then
    return query select 'signed out', null::text;
    return;
  end if;
  if role_now = 'guest' and member_of is null and in_channel not like 'dm:%' then
    perform from channel_memberships
      where username = reactor and channel is not distinct from in_channel and joined for share;
    if not found then
      return query select 'not found', null::text;
      return;
    end if;
  end if;
  if member_of is not null then
    perform from private_channel_members where channel_id = member_of and username = reactor for key share;
    if not found then
      return query select 'not found', null::text;
      return;
    end if;
  end if;
  select posting into may_write from channels where id = in_channel for no key update;
  perform from messages where id = of_message and channel = in_channel and deleted = 0;
  if not found then
    return query select 'not found', null::text;
    return;
  end if;
  if may_write = 'nobody' then
    return query select 'archived', null::text;
    return;
  end if;

  present := exists (
    select from reactions where message_id = of_message and emoji = new_emoji and username = reactor);
  if wanted = present then
    return query select 'done', coalesce(reactions_of(of_message), '{}');
    return;
  end if;
  if not present then
    if (select count(*) from reactions where message_id = of_message and username = reactor) >= most_of_person then
      return query select 'too many of the person', null::text;
      return;
    end if;
    if not exists (select from reactions where message_id = of_message and emoji = new_emoji)
       and (select count(distinct emoji) from reactions where message_id = of_message) >= most_of_message then
      return query select 'too many of the message', null::text;
      return;
    end if;
  end if;

  update channels
     set clock_us = greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, clock_us + 1)
   where id = in_channel
  returning clock_us into at_us;
  if present then
    delete from reactions where message_id = of_message and emoji = new_emoji and username = reactor;
  else
    insert into reactions (message_id, emoji, username, ts)
    values (of_message, new_emoji, reactor, at_us / 1000000::double precision);
  end if;
  update messages set reactions_ts = at_us / 1000000::double precision where id = of_message;
  return query select 'done', coalesce(reactions_of(of_message), '{}');
end
$$;
