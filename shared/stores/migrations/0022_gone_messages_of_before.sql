-- outside of a transaction

-- What was deleted or removed before the triggers noted it. Setting a bit twice does no harm, so people may delete meanwhile.
-- Messages that went with an account have left no place, only a gap in their channel.
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
