-- A bitmap of deleted and removed messages per channel, in blocks of 2,048 positions: bit n of block b is the message
-- with ord b * 2048 + n + 1. Unread counts subtract them without reading messages. Bits are never cleared.
create table gone_messages (
  channel text not null references channels (id) on delete cascade,
  block bigint not null,
  bits bit(2048) not null,
  primary key (channel, block)
) with (fillfactor = 50); -- room for the next version of a row, which every bit rewrites

-- Triggers, because several writers delete and remove; each holds the lock on the channel's row.
create function note_deleted_message() returns trigger
  language plpgsql
as $$
begin
  insert into gone_messages as gone (channel, block, bits)
  values (new.channel, (new.ord - 1) / 2048, set_bit(0::bit(2048), ((new.ord - 1) % 2048)::integer, 1))
  on conflict (channel, block) do update set bits = gone.bits | excluded.bits;
  return null;
end
$$;

-- Trimmed positions are not counted; blocks of trimmed positions only are dropped.
create function note_removed_messages() returns trigger
  language plpgsql
as $$
begin
  insert into gone_messages as gone (channel, block, bits)
  select channel.id, (removed.ord - 1) / 2048,
         bit_or(set_bit(0::bit(2048), ((removed.ord - 1) % 2048)::integer, 1))
    from removed
    join channels channel on channel.id = removed.channel
   where removed.ord > channel.trimmed_ord
   group by 1, 2
   order by 1, 2
  on conflict (channel, block) do update set bits = gone.bits | excluded.bits;

  delete from gone_messages gone
   using channels channel
   where channel.id = gone.channel
     and channel.id in (select channel from removed)
     and gone.block < channel.trimmed_ord / 2048;
  return null;
end
$$;

create trigger messages_note_deleted
  after update of deleted on messages
  for each row
  when (old.deleted = 0 and new.deleted = 1)
  execute function note_deleted_message();

create trigger messages_note_removed
  after delete on messages
  referencing old table as removed
  for each statement
  execute function note_removed_messages();
