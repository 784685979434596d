-- Uploaded bytes that have no row in `files` or `uploads`: deleted files, the bytes of cancelled parts, avatars, emoji and
-- logos. They count for the quota of a day, which deleting gave back. Plain rows without a key or reference: a deletion
-- waits for no other, and for no renaming. The janitor deletes those older than a day.
create table spent_uploads (
  username text not null,
  bytes bigint not null,
  -- Time of the upload.
  ts double precision not null
);
create index spent_uploads_username on spent_uploads (username, ts);
create index spent_uploads_ts on spent_uploads (ts);

-- A file whose message was not stored counts no more: the person sends it again.
create function note_spent_upload() returns trigger language plpgsql as $$
begin
  insert into spent_uploads (username, bytes, ts) values (old.uploader, old.bytes, old.ts);
  return null;
end
$$;

create trigger file_spent after delete on files
  for each row when (old.message_id is not null and old.uploader is not null and old.bytes is not null
                     and old.ts > extract(epoch from now()) - 86400)
  execute function note_spent_upload();

-- works from 0.1.0
