-- works from 0.2.0
-- A bot that was made with a hook (interface 19.4, 1): its tokens need the right to make bots, which its owner may lack.
alter table users
  add column is_bot_of_hook boolean not null default false;
