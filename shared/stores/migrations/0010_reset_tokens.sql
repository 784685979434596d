-- Issued by the operator's tool. Stored as hashes, which are of no use to a reader of the database.
create table reset_tokens (
  token_hash bytea primary key,
  username text not null references users (username) on delete cascade,
  issued_ts double precision not null,
  expires_ts double precision not null,
  used_ts double precision
);

create index reset_tokens_user on reset_tokens (username);
create index reset_tokens_expiry on reset_tokens (expires_ts);
