-- Uploaded files by stored name (interface 10.30). A send inserts its rows first, without a message; a trigger links
-- them. `bytes` is null until the janitor has measured a file from before.
create table files (
  name text primary key,
  message_id bigint references messages (id) on delete cascade,
  original_name text not null,
  bytes bigint,
  type text not null,
  width integer,
  height integer,
  uploader text,
  ts double precision not null
);
create index files_message on files (message_id);
create index files_uploader on files (uploader, ts);
create index files_without_message on files (ts) where message_id is null;
create index files_not_measured on files (name) where bytes is null;

-- Uploads in parts (interface 10.30): their bytes are in the file store under the id. Rows of sent ones stay for a day,
-- so that a repeated request uploads nothing again.
create table uploads (
  id uuid primary key,
  username text not null references users (username) on update cascade on delete cascade,
  original_name text not null,
  bytes bigint not null,
  changed_ts double precision not null,
  sent boolean not null default false
);
create index uploads_username on uploads (username);
create index uploads_changed on uploads (changed_ts);

-- The type of a file from before, whose name alone is known.
create function file_type_of(stored_name text) returns text language sql immutable
return case lower(substring(stored_name from '\.([A-Za-z]+)$'))
         when 'jpg' then 'image/jpeg' when 'jpeg' then 'image/jpeg' when 'png' then 'image/png'
         when 'gif' then 'image/gif' when 'webp' then 'image/webp'
         else 'application/octet-stream' end;

-- `<uuid32hex>_<original name>`; images have no original name.
create function file_name_of(stored_name text) returns text language sql immutable
return case when substr(stored_name, 33, 1) = '_' then substr(stored_name, 34) else stored_name end;

-- Processes of the previous version insert no rows, and neither do their messages.
create function link_file() returns trigger language plpgsql as $$
begin
  update files set message_id = new.id, ts = new.ts where name = new.filename;
  if not found then
    insert into files (name, message_id, original_name, type, uploader, ts)
    values (new.filename, new.id, file_name_of(new.filename), file_type_of(new.filename), new.sender, new.ts)
    on conflict (name) do nothing;
  end if;
  return null;
end
$$;

create trigger message_file_linked after insert on messages
  for each row when (new.filename is not null)
  execute function link_file();

create function forget_file() returns trigger language plpgsql as $$
begin
  delete from files where name = old.filename;
  return null;
end
$$;

create trigger message_file_forgotten after update of filename on messages
  for each row when (old.filename is not null and new.filename is null)
  execute function forget_file();

-- Fills in committed batches, which hold no long locks, in the order of the unique index on file names. A locked row is
-- not deleted before its file is known.
create procedure fill_files() language plpgsql as $$
declare
  last_name text := '';
  next_name text;
begin
  loop
    select max(filename) into next_name
      from (select filename
              from messages
             where filename is not null and filename > last_name
             order by filename
             limit 500) batch;
    exit when next_name is null;
    insert into files (name, message_id, original_name, type, uploader, ts)
    select filename, id, file_name_of(filename), file_type_of(filename), sender, ts
      from (select filename, id, sender, ts
              from messages
             where filename is not null and filename > last_name and filename <= next_name
               for share) held
    on conflict (name) do nothing;
    commit;
    last_name := next_name;
  end loop;
end
$$;
