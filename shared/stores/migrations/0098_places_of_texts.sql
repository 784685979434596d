-- Search texts with channel and time, so that a search reads the trigrams of some channels and of a span of time only.
-- Filled and indexed by 0099_places_of_texts_filled.sql.
alter table message_texts add column channel text, add column ts double precision;

-- Keys of the search index: the channel, and the spans of 2^6, 2^10, 2^14, 2^18 and 2^22 seconds that contain the time
-- (services/api/search/places.ts). Different places may share a key: a search compares channel and time as well.
create function text_places(channel text, ts double precision) returns bigint[]
language sql immutable parallel safe as $$
  select array[hashtextextended(channel, 0),
               6::bigint << 40 | floor(ts / 64)::bigint,
               10::bigint << 40 | floor(ts / 1024)::bigint,
               14::bigint << 40 | floor(ts / 16384)::bigint,
               18::bigint << 40 | floor(ts / 262144)::bigint,
               22::bigint << 40 | floor(ts / 4194304)::bigint]
$$;

create or replace function put_message_text() returns trigger language plpgsql as $$
begin
  insert into message_texts (message_id, content, channel, ts) values (new.id, new.content, new.channel, new.ts);
  return null;
end
$$;

-- As in 0070, with channel and time.
create or replace function follow_message() returns trigger language plpgsql as $$
declare
  names text[] := case when new.deleted = 0 and new.mentions is not null
                       then array(select json_array_elements_text(new.mentions::json)) else '{}' end;
begin
  if new.deleted = 0 and new.content <> '' then
    insert into message_texts (message_id, content, channel, ts)
    values (new.id, new.content, new.channel, new.ts)
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
    delete from message_edits where message_id = new.id;
  end if;
  return null;
end
$$;

-- A renamed account moves its DMs.
create function move_message_text() returns trigger language plpgsql as $$
begin
  update message_texts set channel = new.channel, ts = new.ts where message_id = new.id;
  return null;
end
$$;

create trigger message_text_moved after update of channel, ts on messages
  for each row when ((old.channel, old.ts) is distinct from (new.channel, new.ts))
  execute function move_message_text();

-- Fills in committed batches, which hold no long locks. A row that another transaction changes meanwhile has both
-- columns afterwards.
create procedure fill_text_places() language plpgsql as $$
declare
  done bigint := 0;
  newest bigint;
begin
  loop
    select max(message_id) into newest
      from (select message_id from message_texts where message_id > done order by message_id limit 500) batch;
    exit when newest is null;
    update message_texts text
       set channel = message.channel, ts = message.ts
      from messages message
     where text.message_id > done and text.message_id <= newest
       and (text.channel is null or text.ts is null)
       and message.id = text.message_id;
    commit;
    done := newest;
  end loop;
end
$$;
