-- outside of a transaction

-- Without this index heartbeats change no indexed column, so that their updates write no index (HOT). The list of
-- online users reads the table, which has a row per account.
drop index concurrently if exists presence_last_seen;
alter table presence set (fillfactor = 70);

-- Deletes watermarks of channels that were left; leaving now deletes them.
delete from read_watermarks mark
 where channel > 'private:' and channel < 'private;'
   and not exists (
         select from private_channel_members member
          where member.username = mark.username and 'private:' || member.channel_id = mark.channel);
