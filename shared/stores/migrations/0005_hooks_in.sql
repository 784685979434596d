-- works from 0.2.0
-- Incoming hooks: addresses by which programs post into a channel as a bot (interface 19.4). `created_by` is a username,
-- null where its person went and nobody was there to follow; renaming and deletion of accounts keep it
-- (services/janitor/rename-accounts.ts, shared/ownership/pass-bots.ts). A hook goes with its bot and its channel.

create table hooks_in (
  id bigint generated always as identity primary key,
  -- SHA-256 of the secret part of the address, which is not stored.
  token_hash bytea not null unique,
  name text not null,
  bot text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  template text,
  -- The secret by which senders sign, sealed (shared/stores/secrets.ts).
  sign_secret_enc bytea,
  may_choose_channel boolean not null default false,
  may_mention_everyone boolean not null default false,
  created_by text,
  created_ts double precision not null,
  last_used_ts double precision,
  -- The code of the last refusal since the last success.
  last_error text,
  uses bigint not null default 0,
  disabled_ts double precision
);
create index hooks_in_channel on hooks_in (channel, id);
create index hooks_in_bot on hooks_in (bot);
create index hooks_in_maker on hooks_in (created_by);
