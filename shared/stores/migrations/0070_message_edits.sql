-- Earlier versions of edited texts, while the setting keep_edits is on (interface 10.32). `ts`: when the version was
-- written.
create table message_edits (
  message_id bigint not null references messages (id) on delete cascade,
  ts double precision not null,
  content text not null,
  primary key (message_id, ts)
);

-- As in 0018, and a deletion removes the versions. A trigger sees those of an edit that committed while the deletion
-- waited for the row, which the snapshot of the deleting statement lacks.
create or replace function follow_message() returns trigger language plpgsql as $$
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
    delete from message_edits where message_id = new.id;
  end if;
  return null;
end
$$;
