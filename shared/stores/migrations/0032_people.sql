-- Roles, states and profiles of accounts (interface 10.11). Existing rows get a member's values without a rewrite;
-- 0033 fills the ids, 0034 validates.
create sequence people_rev;

alter table users
  add column id uuid,
  add column role text not null default 'member',
  add column state text not null default 'active',
  add column kind text not null default 'person',
  -- A new value at each change of what others see of the account; null for accounts never changed since 0032.
  add column rev bigint,
  add column rev_ts double precision,
  add column display_name text,
  add column title text,
  add column timezone text,
  add column email text,
  add column email_verified_ts double precision,
  add column state_ts double precision,
  add column invited_by text,
  add column invite_id bigint,
  alter column id set default gen_random_uuid(),
  alter column rev set default nextval('people_rev'),
  alter column rev_ts set default extract(epoch from clock_timestamp()),
  add constraint users_id_given check (id is not null) not valid,
  add constraint users_role check (role in ('owner', 'admin', 'member', 'guest')) not valid,
  add constraint users_state_word check (state in ('active', 'pending', 'deactivated')) not valid,
  add constraint users_kind check (kind in ('person', 'bot')) not valid;

-- Batches keep each row locked for an instant.
create procedure fill_user_ids() language plpgsql as $$
declare
  filled bigint;
begin
  loop
    update users
       set id = gen_random_uuid()
     where username in (select username from users where id is null limit 1000 for no key update skip locked);
    get diagnostics filled = row_count;
    commit;
    exit when filled = 0 and not exists (select from users where id is null);
    if filled = 0 then perform pg_sleep(0.1); end if;
  end loop;
end
$$;

-- Names given up by renaming an account; they lead to it.
create table former_names (
  username_key text primary key,
  username text not null references users (username) on update cascade on delete cascade
);
create index former_names_user on former_names (username);
