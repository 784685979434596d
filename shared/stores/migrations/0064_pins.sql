-- Pinned messages of a channel, at most 100 (interface 10.27). Clients read `extra.pinned` of the message. `pinned_by`
-- references no account: pinning locks the channel's clock, after which no account is locked.
create table pins (
  message_id bigint primary key references messages (id) on delete cascade,
  channel text not null,
  pinned_by text not null,
  pinned_ts double precision not null
);
create index pins_of_channel on pins (channel, pinned_ts desc);
create index pins_of_person on pins (pinned_by);

-- A deleted message loses its pin, whoever deletes it.
create function unpin_deleted() returns trigger language plpgsql as $$
begin
  delete from pins where message_id = new.id;
  return null;
end
$$;

create trigger deleted_unpinned after update of deleted on messages
  for each row when (new.deleted = 1 and old.deleted = 0 and old.extra ? 'pinned')
  execute function unpin_deleted();
