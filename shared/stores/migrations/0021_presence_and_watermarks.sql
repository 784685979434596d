-- outside of a transaction

-- A heartbeat changes no indexed column, so that PostgreSQL writes the new version of the row beside the old one and into no
-- index. A row per account: the list of those who are online reads the table.
drop index concurrently if exists presence_last_seen;
alter table presence set (fillfactor = 70);

-- Watermarks of channels that were left: leaving deletes them from now on.
delete from read_watermarks mark
 where channel > 'private:' and channel < 'private;'
   and not exists (
         select from private_channel_members member
          where member.username = mark.username and 'private:' || member.channel_id = mark.channel);
