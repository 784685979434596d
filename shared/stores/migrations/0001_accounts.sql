-- Accounts. Names are unique regardless of case: `Alice` must not pose as `alice`.
create table users (
  username text primary key,
  username_key text not null unique generated always as (lower(username)) stored,
  password_hash text not null,
  failed_attempts integer not null default 0,
  lockout_until double precision,
  name_color text,
  avatar_file text,
  created_ts double precision not null
);
