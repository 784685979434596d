-- works from 0.2.0
-- Bots: accounts of programs (interface 19.3). `bot_owner` is a username; null for persons, and for a bot whose owner went
-- while the workspace had no owner. Renaming and deletion of accounts keep it (services/janitor/rename-accounts.ts,
-- shared/ownership/pass-bots.ts). A bot has no password: its `password_hash` is a text that no password matches.
alter table users
  add column bot_owner text,
  add column description text;

-- The few bots: those of an owner, and those that reads leave out.
create index users_bots on users (bot_owner, username) where kind = 'bot';
