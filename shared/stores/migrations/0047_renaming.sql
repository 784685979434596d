-- Accounts that the janitor is about to rename (interface 10.21). They cannot sign in, and the new name is reserved.
create table account_renames (
  id uuid primary key default gen_random_uuid(),
  username text not null unique references users (username) on update cascade on delete cascade,
  new_username text not null,
  due_ts double precision not null,
  attempts integer not null default 0
);
create unique index account_renames_new on account_renames (lower(new_username));

-- The account of a name, also of one given up by renaming.
create function account_named(name text) returns text language sql stable as $$
  select username
    from (select username, 1 as place from users where username_key = lower(name)
          union all
          select username, 2 from former_names where username_key = lower(name)) found
   order by place
   limit 1
$$;

-- Validated by 0048.
alter table presence
  drop constraint presence_username_fkey,
  add constraint presence_username_fkey foreign key (username)
    references users (username) on update cascade on delete cascade not valid;
alter table reset_tokens
  drop constraint reset_tokens_username_fkey,
  add constraint reset_tokens_username_fkey foreign key (username)
    references users (username) on update cascade on delete cascade not valid;
alter table channel_prefs
  drop constraint channel_prefs_username_fkey,
  add constraint channel_prefs_username_fkey foreign key (username)
    references users (username) on update cascade on delete cascade not valid;
alter table client_ids
  drop constraint client_ids_sender_fkey,
  add constraint client_ids_sender_fkey foreign key (sender)
    references users (username) on update cascade on delete cascade not valid;
