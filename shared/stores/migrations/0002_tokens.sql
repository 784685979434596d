-- works from 0.2.0
-- Tokens of the API (interface 19): keys by which a program acts as a person or bot.

create table api_tokens (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token, which is not stored.
  hash bytea not null unique,
  -- The account that it acts as.
  username text not null references users (username) on update cascade on delete cascade,
  name text not null,
  -- With those that they contain: `read` is always among them.
  scopes text[] not null,
  -- Null: all channels that the account may read.
  channels_only text[],
  created_by text references users (username) on update cascade on delete set null,
  created_ts double precision not null,
  expires_ts double precision,
  -- Written at most once a minute. The address only where `log_addresses` is on.
  last_used_ts double precision,
  last_used_from inet,
  revoked_ts double precision,
  -- The maker was told that it expires soon.
  told_ts double precision
);
create index api_tokens_user on api_tokens (username, id);
create index api_tokens_maker on api_tokens (created_by);
create index api_tokens_end on api_tokens (expires_ts) where revoked_ts is null;
create index api_tokens_revoked on api_tokens (revoked_ts) where revoked_ts is not null;
