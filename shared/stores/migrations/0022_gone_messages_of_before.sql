-- outside of a transaction

-- Messages deleted or removed before the triggers existed. Setting a bit twice is harmless, so concurrent deletions are
-- safe. Messages removed with an account are known only as gaps in the positions of their channel.
insert into gone_messages as gone (channel, block, bits)
select place.channel, (place.ord - 1) / 2048,
       bit_or(set_bit(0::bit(2048), ((place.ord - 1) % 2048)::integer, 1))
  from (
    select deleted.channel, deleted.ord
      from messages deleted
      join channels channel on channel.id = deleted.channel
     where deleted.deleted = 1
       and deleted.ord > channel.trimmed_ord
    union all
    select channel.id, missing.ord
      from channels channel
     cross join lateral (
           select generate_series(channel.trimmed_ord + 1, channel.message_count) as ord
           except
           select ord from messages where messages.channel = channel.id) missing
     where exists (
             select from removed_messages
              where removed_messages.channel = channel.id and not removed_messages.trimmed)
  ) place
 group by 1, 2
 order by 1, 2
on conflict (channel, block) do update set bits = gone.bits | excluded.bits;
