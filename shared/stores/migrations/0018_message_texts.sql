-- Search texts in a separate table: a new version of a row enters every index of its table, and a reaction must not
-- index the trigrams of ten thousand characters again. Filled and indexed by 0023_message_texts_filled.sql.
create table message_texts (
  message_id bigint primary key references messages (id) on delete cascade,
  content text not null
);

-- Triggers keep text, mentions and reactions consistent with the message's row, also for concurrent changes: the second
-- one waits for the first, and the trigger then reads the state that the first one left.
create function put_message_text() returns trigger language plpgsql as $$
begin
  insert into message_texts (message_id, content) values (new.id, new.content);
  return null;
end
$$;

create trigger message_text_put after insert on messages
  for each row when (new.deleted = 0 and new.content <> '')
  execute function put_message_text();

create function follow_message() returns trigger language plpgsql as $$
declare
  names text[] := case when new.deleted = 0 and new.mentions is not null
                       then array(select json_array_elements_text(new.mentions::json)) else '{}' end;
begin
  if new.deleted = 0 and new.content <> '' then
    insert into message_texts (message_id, content) values (new.id, new.content)
    on conflict (message_id) do update set content = excluded.content;
  else
    delete from message_texts where message_id = new.id;
  end if;
  delete from message_mentions where message_id = new.id and username <> all (names);
  insert into message_mentions (channel, username, ts, message_id)
  select new.channel, name, new.ts, new.id from unnest(names) name
  on conflict do nothing;
  if new.deleted = 1 then
    delete from reactions where message_id = new.id;
  end if;
  return null;
end
$$;

create trigger message_followed after update of content, mentions, deleted on messages
  for each row when ((old.content, old.mentions, old.deleted) is distinct from (new.content, new.mentions, new.deleted))
  execute function follow_message();

-- Fills in committed batches, which hold no long locks. Skips locked rows and searches for them again: a row could be
-- read before a change and written after it.
create procedure fill_message_texts() language plpgsql as $$
declare
  done bigint;
  newest bigint;
begin
  loop
    done := 0;
    loop
      select max(id) into newest from (select id from messages where id > done order by id limit 500) batch;
      exit when newest is null;
      insert into message_texts (message_id, content)
      select message.id, message.content
        from messages message
       where message.id > done and message.id <= newest and message.deleted = 0 and message.content <> ''
         and not exists (select from message_texts present where present.message_id = message.id)
         for share of message skip locked
      on conflict do nothing;
      commit;
      done := newest;
    end loop;
    exit when not exists (
      select from messages message
       where message.deleted = 0 and message.content <> ''
         and not exists (select from message_texts present where present.message_id = message.id));
    perform pg_sleep(0.1);
  end loop;
end
$$;

-- Client ids of sends, for a day (decisions, Idempotent send). In a separate table, so that deleting an id rewrites no
-- message.
create table client_ids (
  sender text not null references users (username) on delete cascade,
  client_id uuid not null,
  message_id bigint not null,
  ts double precision not null,
  primary key (sender, client_id)
);
create index client_ids_ts on client_ids (ts);

-- Processes of the previous version store the id with the message: the trigger copies it here, and refuses a send that
-- this version has stored already.
create function keep_client_id() returns trigger language plpgsql as $$
begin
  insert into client_ids (sender, client_id, message_id, ts) values (new.sender, new.client_id, new.id, new.ts);
  return null;
end
$$;

create trigger client_id_kept after insert on messages
  for each row when (new.client_id is not null)
  execute function keep_client_id();

-- Adds or removes a reaction; without `wanted` toggles it. A single statement: it holds the channel's clock from the
-- read to the commit without a round trip, so that two toggles of a user cannot both see the same state. Locks in the
-- common order: account, membership, clock, message.
create function react(
  of_message bigint, in_channel text, member_of bigint, reactor text, new_emoji text, wanted boolean,
  most_of_person integer, most_of_message integer
) returns table (outcome text, answer text) language plpgsql as $$
declare
  present boolean;
  at_us bigint;
begin
  perform from users where username = reactor for key share;
  if not found then
    return query select 'signed out', null::text;
    return;
  end if;
  if member_of is not null then
    perform from private_channel_members where channel_id = member_of and username = reactor for key share;
    if not found then
      return query select 'not found', null::text;
      return;
    end if;
  end if;
  perform from channels where id = in_channel for no key update;
  perform from messages where id = of_message and channel = in_channel and deleted = 0;
  if not found then
    return query select 'not found', null::text;
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
