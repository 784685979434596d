-- Invitations (interface 10.13). The code is kept readable, so that its link can be shown again.
create table invites (
  id bigint generated always as identity primary key,
  code text not null unique,
  role text not null check (role in ('member', 'guest')),
  channels text[] not null default '{}',
  note text,
  created_by text not null references users (username) on update cascade on delete cascade,
  created_ts double precision not null,
  expires_ts double precision,
  max_uses integer,
  uses integer not null default 0,
  revoked_ts double precision
);
create index invites_maker on invites (created_by, id);

-- Each person uses an invitation once.
create table invite_uses (
  invite_id bigint not null references invites (id) on delete cascade,
  username text not null references users (username) on update cascade on delete cascade,
  used_ts double precision not null,
  primary key (invite_id, username)
);
create index invite_uses_user on invite_uses (username);
