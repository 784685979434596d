-- works from 0.2.0
-- The schema of bothy 0.2.0, by subject: accounts, sessions and signing in, channels, messages, search, threads, activity,
-- what a person keeps, files, calls, administration, service. Later migrations add to it.
--
-- A database of bothy 0.1.0 has this schema by the migrations of that release and is taken over
-- (shared/stores/baseline.ts). The owner of everything is bothy_owner. The rights of bothy_app, the role of the processes,
-- come from default privileges (shared/stores/roles.ts): it reads and writes rows, and uses sequences.
--
-- Units: `…_ts` and `…_until` are seconds since 1970, `…_us` microseconds, `bytes` bytes. `rev` is a revision: a number that
-- rises with each change. Names of people are `users.username`, also where no foreign key says so: a row that is inserted
-- under the clock of a channel references no account, because accounts are locked before the clock (architecture 4.1).

create extension if not exists pg_trgm;

-- ── Accounts ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- Revisions of people, given by next_people_rev() only.
create sequence people_rev;

-- Names are unique regardless of case: `Alice` must not pose as `alice`.
create table users (
  username text primary key,
  username_key text not null unique generated always as (lower(username)) stored,
  password_hash text not null,
  failed_attempts integer not null default 0,
  lockout_until double precision,
  name_color text,
  avatar_file text,
  created_ts double precision not null,
  id uuid not null default gen_random_uuid(),
  role text not null default 'member' constraint users_role check (role in ('owner', 'admin', 'member', 'guest')),
  state text not null default 'active' constraint users_state_word check (state in ('active', 'pending', 'deactivated')),
  kind text not null default 'person' constraint users_kind check (kind in ('person', 'bot')),
  -- A new value at each change of what others see of the account.
  rev bigint,
  rev_ts double precision,
  display_name text,
  title text,
  timezone text,
  email text,
  email_verified_ts double precision,
  state_ts double precision,
  invited_by text,
  invite_id bigint,
  -- The status beside the name (interface 15.2). `status_until` null: until changed.
  status_emoji text,
  status_text text,
  status_until double precision,
  status_quiet boolean not null default false
);
create unique index users_id on users (id);
create index users_state on users (state, username_key);
-- Accounts that cannot read every public channel: few, and read once per statement.
create index users_restricted on users (username) where role = 'guest' or state <> 'active';
create index users_status_until on users (status_until) where status_until is not null;
create index users_rev on users (rev);

-- A revision is given under a lock that lasts until the commit, so that commits follow revisions: a reader who knows
-- revision r has seen every change up to r (interface 15.1). The number is in shared/stores/advisory-locks.ts.
create function next_people_rev() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(2607041985);
  return nextval('people_rev');
end
$$;

-- Rows are locked before the revision everywhere, so that no deadlock is possible. An insert may wait for a concurrent
-- one of the same name: it takes its revision afterwards.
create function note_new_person() returns trigger language plpgsql as $$
begin
  update users
     set rev = next_people_rev(), rev_ts = extract(epoch from clock_timestamp())
   where username = new.username;
  return null;
end
$$;

create trigger users_added
after insert on users
for each row execute function note_new_person();

create function note_person_change() returns trigger language plpgsql as $$
begin
  if (new.username, new.display_name, new.title, new.role, new.kind, new.state, new.timezone)
     is distinct from
     (old.username, old.display_name, old.title, old.role, old.kind, old.state, old.timezone) then
    new.rev := next_people_rev();
    new.rev_ts := extract(epoch from clock_timestamp());
  end if;
  return new;
end
$$;

create trigger users_changed
before update of username, display_name, title, role, kind, state, timezone on users
for each row execute function note_person_change();

create function note_status_change() returns trigger language plpgsql as $$
begin
  if (new.status_emoji, new.status_text, new.status_until, new.status_quiet)
     is distinct from
     (old.status_emoji, old.status_text, old.status_until, old.status_quiet) then
    new.rev := next_people_rev();
    new.rev_ts := extract(epoch from clock_timestamp());
  end if;
  return new;
end
$$;

create trigger users_status_changed
before update of status_emoji, status_text, status_until, status_quiet on users
for each row execute function note_status_change();

-- Names given up by renaming an account; they lead to it.
create table former_names (
  username_key text primary key,
  username text not null references users (username) on update cascade on delete cascade
);
create index former_names_user on former_names (username);

-- The account of a name, also of one given up by renaming.
create function account_named(name text) returns text language sql stable as $$
  select username
    from (select username, 1 as place from users where username_key = lower(name)
          union all
          select username, 2 from former_names where username_key = lower(name)) found
   order by place
   limit 1
$$;

-- Accounts that the janitor is about to rename (interface 17.3). They cannot sign in, and the new name is reserved.
create table account_renames (
  id uuid primary key default gen_random_uuid(),
  username text not null unique references users (username) on update cascade on delete cascade,
  new_username text not null,
  due_ts double precision not null,
  attempts integer not null default 0,
  -- Written messages from this time on have been moved: 'infinity' for none, '-infinity' for all, null before the first
  -- attempt has found the new name free.
  before_ts double precision
);
create unique index account_renames_new on account_renames (lower(new_username));

-- Names of deleted accounts stay reserved: DM ids contain names, and a new account would inherit the conversations.
create table deleted_names (
  username_key text primary key,
  deleted_ts double precision not null,
  rev bigint,
  rev_ts double precision
);
create index deleted_names_rev on deleted_names (rev) where rev is not null;

-- Accounts whose rows the janitor is still rewriting; reads hide these rows from the moment of deletion. The table has
-- few rows or none, so that every read can check it.
create table account_deletions (
  username text primary key,
  kind text not null check (kind in ('soft', 'hard')),
  deleted_ts double precision not null,
  -- Time at which a janitor may claim it; in the future while one works on it.
  due_ts double precision not null,
  -- Private channels that still need the "left the channel" line.
  left_channels bigint[] not null,
  -- Id of the last checked system line.
  lines_after bigint not null default 0
);

-- The last report of a person's tabs (interface 2.7). Persistent, because an override outlives processes. `last_seen` is in
-- no index, so that heartbeats update rows in place (HOT).
create table presence (
  username text primary key references users (username) on update cascade on delete cascade,
  state text not null,
  last_seen double precision not null,
  override text,
  -- True while the tabs report under names of their own: the person is offline soon after the last report.
  by_tab boolean not null default false
) with (fillfactor = 70);

-- Choices of a person, merged over the defaults of the service. A row exists once something was chosen.
create table preferences (
  username text primary key references users (username) on update cascade on delete cascade,
  prefs jsonb not null default '{}',
  share_read boolean not null generated always as (coalesce((prefs ->> 'share_read')::boolean, true)) stored
);
-- The few people whose read markers others do not see.
create index preferences_hides_read on preferences (username) where not share_read;

-- Groups of people under one handle (interface 15.3). Handles share the names of people.
create table user_groups (
  id bigint generated always as identity primary key,
  handle text not null,
  handle_key text not null unique generated always as (lower(handle)) stored,
  name text not null,
  created_by text references users (username) on update cascade on delete set null,
  created_ts double precision not null
);
create index user_groups_maker on user_groups (created_by);

create table group_members (
  group_id bigint not null references user_groups (id) on delete cascade,
  username text not null references users (username) on update cascade on delete cascade,
  primary key (group_id, username)
);
create index group_members_user on group_members (username);

-- A single row that rises with each change of a group: clients then read the list again. A row instead of a
-- sequence, because its new value must appear with the commit.
create table groups_revision (
  only_row boolean primary key default true check (only_row),
  rev bigint not null default 0
);
insert into groups_revision default values;

-- Triggers, because deleting and renaming an account change members by foreign keys.
create function note_group_change() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    update groups_revision set rev = rev + 1;
  end if;
  return null;
end
$$;

create trigger groups_inserted after insert on user_groups
referencing new table as changed for each statement execute function note_group_change();
create trigger groups_updated after update on user_groups
referencing new table as changed for each statement execute function note_group_change();
create trigger groups_deleted after delete on user_groups
referencing old table as changed for each statement execute function note_group_change();
create trigger group_members_inserted after insert on group_members
referencing new table as changed for each statement execute function note_group_change();
create trigger group_members_updated after update on group_members
referencing new table as changed for each statement execute function note_group_change();
create trigger group_members_deleted after delete on group_members
referencing old table as changed for each statement execute function note_group_change();

-- ── Sessions and signing in ──────────────────────────────────────────────────────────────────────────────────────
-- Sessions are in Redis. Codes and tokens are stored as SHA-256, which is of no use to a reader of the database.

-- Recently ended sessions: read while Redis is down, so that a process does not serve a session it knows after its end
-- (shared/http/sessions.ts).
create table ended_sessions (
  id_hash bytea primary key,
  ended_at timestamptz not null default clock_timestamp()
);
create index ended_sessions_ended_at on ended_sessions (ended_at);

-- Links for a forgotten password.
create table reset_tokens (
  token_hash bytea primary key,
  username text not null references users (username) on update cascade on delete cascade,
  issued_ts double precision not null,
  expires_ts double precision not null,
  used_ts double precision
);
create index reset_tokens_user on reset_tokens (username);
create index reset_tokens_expiry on reset_tokens (expires_ts);

-- Codes of the link that makes the first owner. Only the newest counts.
create table claim_codes (
  code_hash bytea primary key,
  made_ts double precision not null
);

-- Invitations (interface 16.4). The code is kept readable, so that its link can be shown again.
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

-- ── Channels ─────────────────────────────────────────────────────────────────────────────────────────────────────
-- Ids: the name of a public channel, `private:<id>`, or `dm:<name>:<name>…`.

-- A row per channel, created with its first message: the channel clock. Every change to the channel's messages takes
-- its time here, under the row's lock, so that commits are in the order of their times (architecture 2.2). Integer
-- microseconds, since adding one to a float is inexact.
create table channels (
  id text primary key,
  clock_us bigint not null,
  newest_ts double precision not null default 0,
  -- Messages ever posted: unread counts are differences of it, without scans of history.
  message_count bigint not null default 0,
  -- Position of the last message that retention by age removed: unread counts begin after it.
  trimmed_ord bigint not null default 0,
  -- 'everyone', 'managers', or 'nobody' in an archived channel. Beside the clock, whose lock every send takes: a send
  -- that waits for the clock sees a change that came first.
  posting text not null default 'everyone'
);

-- Properties of a channel (interface 12.1). A row exists for each public channel made here, for any other channel from
-- its first property on.
create table channel_properties (
  channel text primary key,
  kind text not null check (kind in ('public', 'private', 'dm')),
  -- Public, and not a channel of the settings file.
  made_here boolean not null default false,
  name text,
  topic text,
  description text,
  posting text not null default 'everyone' check (posting in ('everyone', 'managers')),
  is_default boolean not null default false,
  archived_ts double precision,
  archived_by text,
  retention_days integer,
  created_by text,
  created_ts double precision
);
create index channel_properties_kind on channel_properties (kind, archived_ts);
-- Ids are unique without regard to case.
create unique index channel_properties_key on channel_properties (lower(channel));

create table channel_managers (
  channel text not null,
  username text not null references users (username) on update cascade on delete cascade,
  primary key (channel, username)
);
create index channel_managers_user on channel_managers (username);

-- Decisions to join or leave a public channel. Without a row, default channels are joined, except by guests.
create table channel_memberships (
  username text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  joined boolean not null,
  changed_ts double precision not null,
  primary key (username, channel)
);
create index channel_memberships_channel on channel_memberships (channel);

-- Invite-only channels (interface 2.2). Members are in join order.
create table private_channels (
  id bigint generated always as identity primary key,
  name text not null,
  created_by text not null,
  created_ts double precision not null
);

create table private_channel_members (
  channel_id bigint not null references private_channels (id),
  username text not null,
  joined_ts double precision not null,
  -- Null: the whole history is readable.
  history_start_ts double precision,
  join_order bigint generated always as identity,
  primary key (channel_id, username)
);
create index private_channel_members_user on private_channel_members (username, channel_id);

-- Participants of DMs, created with the first message; a person's DMs are an index range.
create table dm_participants (
  username text not null,
  channel text not null references channels (id) on delete cascade,
  primary key (username, channel)
);

-- DMs that a person closed.
create table hidden_dms (
  username text not null,
  channel text not null,
  hidden_ts double precision not null,
  primary key (username, channel)
);

-- A person's own order of their sidebar (interface 12.2).
create table sidebar_sections (
  id bigint generated always as identity primary key,
  username text not null references users (username) on update cascade on delete cascade,
  name text not null,
  position integer not null,
  collapsed boolean not null default false
);
create index sidebar_sections_of_person on sidebar_sections (username, position);

-- A person's choices for a channel.
create table channel_prefs (
  username text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  -- 'Infinity': for ever.
  muted_until double precision,
  level text not null default 'default'
    constraint channel_prefs_level check (level in ('default', 'all', 'mentions', 'nothing')),
  favourite boolean not null default false,
  section_id bigint references sidebar_sections (id) on delete set null,
  -- Among the channels of the same group; null: after them, in the usual order.
  position integer,
  primary key (username, channel)
);
create index channel_prefs_section on channel_prefs (section_id) where section_id is not null;

-- Rises with each change of the own sidebar, so that a tab knows frames older than its own change.
create table sidebar_revisions (
  username text primary key references users (username) on update cascade on delete cascade,
  rev bigint not null
);

-- ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- All messages of all channels, with ids unique across channels (interface 2.3).
create table messages (
  id bigint generated always as identity primary key,
  channel text not null references channels (id) on delete cascade,
  -- Position of the message in its channel, from 1.
  ord bigint not null,
  sender text not null,
  content text,
  filename text,
  ts double precision not null,
  edited smallint not null default 0,
  edited_ts double precision,
  deleted smallint not null default 0,
  deleted_ts double precision,
  reply_to_id bigint,
  reactions_ts double precision,
  -- JSON text: a list of names, or `@everyone`.
  mentions text,
  content_type text not null default 'text',
  -- Not written since client_ids.
  client_id uuid,
  -- The greatest of the four times: a tab's cursor is a single growing number, which allows a range scan.
  changed_ts double precision not null
    generated always as (greatest(ts, edited_ts, deleted_ts, reactions_ts)) stored,
  -- Details for extensions (interface 11.6); null for nearly all.
  extra jsonb,
  -- The first message of the chain of replies (interface 11.2); null for messages that reply to none.
  thread_id bigint,
  -- Place in a send of several rows, from the second row on; otherwise 0.
  part smallint not null default 0
);
create index messages_changed on messages (channel, changed_ts);
create unique index messages_ts on messages (channel, ts);
create unique index messages_client_id on messages (sender, client_id) where client_id is not null;
create unique index messages_filename on messages (filename) where filename is not null;
-- The few messages that unread counts subtract.
create index messages_deleted on messages (channel, ts) where deleted = 1;
-- For filters without a word, and words too short for a trigram.
create index messages_by_ts on messages (ts desc) where deleted = 0;
create index messages_by_sender on messages (lower(sender), ts desc) where deleted = 0;
-- For retention by size, which removes the oldest attachments, and for the files of a channel, newest first.
create index messages_with_file on messages (ts) where filename is not null;
create index messages_files_of_channel on messages (channel, ts) where filename is not null;
create index messages_replies on messages (reply_to_id, ts) where reply_to_id is not null;
create index messages_thread on messages (thread_id, ts) where thread_id is not null;
-- Deleting and renaming an account change its rows in batches, and its name in details.
create index messages_deleted_by_sender on messages (sender) where deleted = 1;
create index messages_system on messages (id) where content_type = 'system';
create index messages_forwarded_sender on messages ((extra -> 'forward' ->> 'sender')) where extra ? 'forward';
create index messages_removed_by on messages ((extra ->> 'removed_by')) where extra ? 'removed_by';

-- Client ids of sends, for a day (interface 4.3). In a separate table, so that deleting an id rewrites no
-- message. `path`: the request that used the id; another one with the same id is refused.
create table client_ids (
  sender text not null references users (username) on update cascade on delete cascade,
  client_id uuid not null,
  message_id bigint not null,
  ts double precision not null,
  path text,
  primary key (sender, client_id)
);
create index client_ids_ts on client_ids (ts);

-- Copies an id stored with its message, and refuses a send that is stored already.
create function keep_client_id() returns trigger language plpgsql as $$
begin
  insert into client_ids (sender, client_id, message_id, ts) values (new.sender, new.client_id, new.id, new.ts);
  return null;
end
$$;

create trigger client_id_kept after insert on messages
  for each row when (new.client_id is not null)
  execute function keep_client_id();

-- Responses to requests with a `client_id` that made something, for a day: a repetition gets the first response.
create table made_once (
  username text not null references users (username) on update cascade on delete cascade,
  client_id uuid not null,
  path text not null,
  status integer not null,
  body jsonb not null,
  ts double precision not null default extract(epoch from clock_timestamp()),
  primary key (username, client_id)
);
create index made_once_ts on made_once (ts);

-- Messages removed permanently, by deletion of their account or retention by age. Open tabs learn of the removal from a
-- bare tombstone for a day (interface 4.1).
create table removed_messages (
  id bigint primary key,
  channel text not null,
  ts double precision not null,
  removed_ts double precision not null,
  -- By retention: unread counts exclude these already.
  trimmed boolean not null default false
);
create index removed_messages_changed on removed_messages (channel, removed_ts);
create index removed_messages_ts on removed_messages (channel, ts);
create index removed_messages_age on removed_messages (removed_ts);

-- A bitmap of deleted and removed messages per channel, in blocks of 2,048 positions: bit n of block b is the message
-- with ord b * 2048 + n + 1. Unread counts subtract them without reading messages. Bits are never cleared.
create table gone_messages (
  channel text not null references channels (id) on delete cascade,
  block bigint not null,
  bits bit(2048) not null,
  primary key (channel, block)
) with (fillfactor = 50); -- room for the next version of a row, which every bit rewrites

-- Triggers, because several writers delete and remove; each holds the lock on the channel's row.
create function note_deleted_message() returns trigger
  language plpgsql
as $$
begin
  insert into gone_messages as gone (channel, block, bits)
  values (new.channel, (new.ord - 1) / 2048, set_bit(0::bit(2048), ((new.ord - 1) % 2048)::integer, 1))
  on conflict (channel, block) do update set bits = gone.bits | excluded.bits;
  return null;
end
$$;

create trigger messages_note_deleted
  after update of deleted on messages
  for each row
  when (old.deleted = 0 and new.deleted = 1)
  execute function note_deleted_message();

-- Trimmed positions are not counted; blocks of trimmed positions only are dropped.
create function note_removed_messages() returns trigger
  language plpgsql
as $$
begin
  insert into gone_messages as gone (channel, block, bits)
  select channel.id, (removed.ord - 1) / 2048,
         bit_or(set_bit(0::bit(2048), ((removed.ord - 1) % 2048)::integer, 1))
    from removed
    join channels channel on channel.id = removed.channel
   where removed.ord > channel.trimmed_ord
   group by 1, 2
   order by 1, 2
  on conflict (channel, block) do update set bits = gone.bits | excluded.bits;

  delete from gone_messages gone
   using channels channel
   where channel.id = gone.channel
     and channel.id in (select channel from removed)
     and gone.block < channel.trimmed_ord / 2048;
  return null;
end
$$;

create trigger messages_note_removed
  after delete on messages
  referencing old table as removed
  for each statement
  execute function note_removed_messages();

-- Watermarks only move forward (interface 2.5). Beside the time they hold the position of the last read message, so
-- that an unread count is a subtraction.
create table read_watermarks (
  channel text not null,
  username text not null,
  last_read_ts double precision not null,
  last_read_ord bigint not null,
  -- The mark as unread: counts begin at this message instead of after the watermark. Both null without a mark.
  unread_from_ts double precision,
  unread_from_ord bigint,
  -- The part of the watermark that joining set: messages up to it were never read by the person, who counts as a reader of
  -- later ones only. 0 without one: the time of sign-up takes its place.
  joined_ts double precision not null default 0,
  primary key (channel, username)
);
create index read_watermarks_user on read_watermarks (username, channel);

create table reactions (
  message_id bigint not null references messages (id) on delete cascade,
  emoji text not null,
  username text not null,
  ts double precision not null,
  primary key (message_id, emoji, username)
);
create index reactions_user on reactions (username);

-- JSON text of {emoji: [username, …]}, emojis and names in order of first use, without accounts in deletion; null when
-- there are none.
create function reactions_of(message bigint) returns text
  language sql stable parallel safe
  return (
    select json_object_agg(emoji, usernames order by first_ts, emoji)::text
      from (
        select emoji, json_agg(username order by ts, username) as usernames, min(ts) as first_ts
          from reactions
         where message_id = message
           and username not in (select username from account_deletions)
         group by emoji
      ) by_emoji
  );

-- Adds or removes a reaction; without `wanted` toggles it. A single statement: it holds the channel's clock from the
-- read to the commit without a round trip, so that two toggles of a person cannot both see the same state. Locks in the
-- common order (account, membership, clock, message), and those of a send: no reaction comes after the deactivation of the
-- person, after a guest lost the public channel, or after the line that archives the channel.
create function react(
  of_message bigint, in_channel text, member_of bigint, reactor text, new_emoji text, wanted boolean,
  most_of_person integer, most_of_message integer
) returns table (outcome text, answer text) language plpgsql as $$
declare
  role_now text;
  present boolean;
  may_write text;
  at_us bigint;
begin
  select role into role_now from users where username = reactor and state is not distinct from 'active' for share;
  if not found then
    return query select 'signed out', null::text;
    return;
  end if;
  if role_now = 'guest' and member_of is null and in_channel not like 'dm:%' then
    perform from channel_memberships
      where username = reactor and channel is not distinct from in_channel and joined for share;
    if not found then
      return query select 'not found', null::text;
      return;
    end if;
  end if;
  if member_of is not null then
    perform from private_channel_members where channel_id = member_of and username = reactor for key share;
    if not found then
      return query select 'not found', null::text;
      return;
    end if;
  end if;
  select posting into may_write from channels where id = in_channel for no key update;
  perform from messages where id = of_message and channel = in_channel and deleted = 0;
  if not found then
    return query select 'not found', null::text;
    return;
  end if;
  if may_write = 'nobody' then
    return query select 'archived', null::text;
    return;
  end if;

  present := exists (
    select from reactions where message_id = of_message and emoji = new_emoji and username = reactor);
  if wanted = present then
    return query select 'done', coalesce(reactions_of(of_message), '{}');
    return;
  end if;
  if not present then
    if (select count(*) from reactions where message_id = of_message and username = reactor) >= most_of_person then
      return query select 'too many of the person', null::text;
      return;
    end if;
    if not exists (select from reactions where message_id = of_message and emoji = new_emoji)
       and (select count(distinct emoji) from reactions where message_id = of_message) >= most_of_message then
      return query select 'too many of the message', null::text;
      return;
    end if;
  end if;

  update channels
     set clock_us = greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, clock_us + 1)
   where id = in_channel
  returning clock_us into at_us;
  if present then
    delete from reactions where message_id = of_message and emoji = new_emoji and username = reactor;
  else
    insert into reactions (message_id, emoji, username, ts)
    values (of_message, new_emoji, reactor, at_us / 1000000::double precision);
  end if;
  update messages set reactions_ts = at_us / 1000000::double precision where id = of_message;
  return query select 'done', coalesce(reactions_of(of_message), '{}');
end
$$;

-- A row per name (or `@everyone`) mentioned in a message that is not deleted; unread mentions are an index range.
create table message_mentions (
  channel text not null,
  username text not null,
  ts double precision not null,
  message_id bigint not null references messages (id) on delete cascade,
  primary key (channel, username, ts)
);
create index message_mentions_message on message_mentions (message_id);
create index message_mentions_user on message_mentions (username);

-- A message's list of names without accounts in deletion; null if it becomes empty.
create function shown_mentions(mentions text) returns text
  language sql stable parallel safe
  return (
    select '["' || string_agg(name, '","' order by place) || '"]'
      from json_array_elements_text(mentions::json) with ordinality as mentioned (name, place)
     where name not in (select username from account_deletions)
  );

-- Earlier versions of edited texts, while the setting keep_edits is on (interface 11.7).
create table message_edits (
  message_id bigint not null references messages (id) on delete cascade,
  -- When the version was written.
  ts double precision not null,
  content text not null,
  -- When it was replaced.
  kept_ts double precision not null default extract(epoch from clock_timestamp()),
  primary key (message_id, ts)
);
create index message_edits_kept on message_edits (kept_ts);

-- Versions replaced before this time are hidden, and removed at night: those from before keep_edits was last off. A
-- single row.
create table hidden_versions (
  one boolean primary key default true check (one),
  before_ts double precision not null
);
insert into hidden_versions (before_ts) values (0);

-- Pinned messages of a channel, at most 100 (interface 11.3). Clients read `extra.pinned` of the message.
create table pins (
  message_id bigint primary key references messages (id) on delete cascade,
  channel text not null,
  pinned_by text not null,
  pinned_ts double precision not null
);
create index pins_of_channel on pins (channel, pinned_ts desc);
create index pins_of_person on pins (pinned_by);

-- A deleted message loses its pin, whoever deletes it.
create function unpin_deleted() returns trigger language plpgsql as $$
begin
  delete from pins where message_id = new.id;
  return null;
end
$$;

create trigger deleted_unpinned after update of deleted on messages
  for each row when (new.deleted = 1 and old.deleted = 0 and old.extra ? 'pinned')
  execute function unpin_deleted();

-- Emoji of the workspace (interface 13.2). `file` is the stored picture.
create table custom_emoji (
  name text primary key,
  file text not null,
  animated boolean not null,
  created_by text references users (username) on update cascade on delete set null,
  created_ts double precision not null
);
create index custom_emoji_maker on custom_emoji (created_by);

-- A single row that rises with each change: clients then read the list again. Also the lock of those who change it.
create table emoji_revision (
  only_row boolean primary key default true check (only_row),
  rev bigint not null default 0,
  -- Rises when the maker of an emoji gets another name. Apart from `rev`, because guests may not count renamings of people
  -- whom they do not see.
  makers_rev bigint not null default 0
);
insert into emoji_revision default values;

-- ── Search ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- Texts are searched folded: `uber` finds “Über”. The functions equal shared/domain/fold.ts; their bodies are parsed here,
-- so that they do not depend on a search path.

-- Compatibility forms, case, and letters that Unicode does not decompose. Accents stay, as combining marks.
create function accented_text(text) returns text immutable parallel safe
return replace(replace(replace(replace(replace(replace(replace(replace(
         translate(lower(normalize($1, NFKD)),
                   U&'\03C2\0131\2018\2019\02BC\00AD\034F\061C\180E\200B\200C\200D\200E\200F\2060\FE0E\FE0F\FEFF',
                   U&'\03C3i'''''''),
         U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'),
         U&'\00F8', U&'o\0338'), U&'\0142', U&'l\0335'), U&'\0111', U&'d\0335'), U&'\0127', U&'h\0335'),
         U&'\0167', U&'t\0335');

-- The same without accents. Vowel signs of Indic scripts and voicing marks of Japanese are no accents.
create function fold_text(text) returns text immutable parallel safe
return normalize(regexp_replace(accented_text($1),
                                U&'[\0300-\036F\0483-\0487\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0610-\061A\064B-\065F\0670\06D6-\06DC\06DF-\06E8\06EA-\06ED\1AB0-\1AFF\1DC0-\1DFF\20D0-\20FF\FE20-\FE2F]+',
                                '', 'g'),
                 NFC);

-- Texts of ASCII alone stay as they are, because trigrams have no case.
create function search_text(text) returns text immutable parallel safe
return case when octet_length($1) = char_length($1) then $1 else fold_text($1) end;

-- Keys of the search index: the channel, and the spans of 2^6, 2^10, 2^14, 2^18 and 2^22 seconds that contain the time
-- (services/api/search/places.ts). Different places may share a key: a search compares channel and time as well.
create function text_places(channel text, ts double precision) returns bigint[]
language sql immutable parallel safe as $$
  select array[hashtextextended(channel, 0),
               6::bigint << 40 | floor(ts / 64)::bigint,
               10::bigint << 40 | floor(ts / 1024)::bigint,
               14::bigint << 40 | floor(ts / 16384)::bigint,
               18::bigint << 40 | floor(ts / 262144)::bigint,
               22::bigint << 40 | floor(ts / 4194304)::bigint]
$$;

-- Folded texts of messages that are not deleted. In a separate table: a new version of a row enters every index of its
-- table, and a reaction must not index the trigrams of ten thousand characters again. With channel and time, so that a
-- search reads the trigrams of some channels and of a span of time only.
create table message_texts (
  message_id bigint primary key references messages (id) on delete cascade,
  content text not null,
  channel text,
  ts double precision
);
create index message_texts_trgm on message_texts using gin (content gin_trgm_ops, (text_places(channel, ts)));

-- Triggers keep text, mentions and reactions consistent with the message's row, also for concurrent changes: the second
-- one waits for the first, and the trigger then reads the state that the first one left.
create function put_message_text() returns trigger language plpgsql as $$
begin
  insert into message_texts (message_id, content, channel, ts)
  values (new.id, search_text(new.content), new.channel, new.ts);
  return null;
end
$$;

create trigger message_text_put after insert on messages
  for each row when (new.deleted = 0 and new.content <> '')
  execute function put_message_text();

-- A deletion also removes versions of an edit that committed while it waited for the row, which the snapshot of the
-- deleting statement lacks.
create function follow_message() returns trigger language plpgsql as $$
declare
  names text[] := case when new.deleted = 0 and new.mentions is not null
                       then array(select json_array_elements_text(new.mentions::json)) else '{}' end;
begin
  if new.deleted = 0 and new.content <> '' then
    insert into message_texts (message_id, content, channel, ts)
    values (new.id, search_text(new.content), new.channel, new.ts)
    on conflict (message_id) do update set content = excluded.content;
  else
    delete from message_texts where message_id = new.id;
  end if;
  delete from message_mentions where message_id = new.id and username <> all (names);
  insert into message_mentions (channel, username, ts, message_id)
  select new.channel, name, new.ts, new.id from unnest(names) name
  on conflict do nothing;
  if new.deleted = 1 then
    delete from reactions where message_id = new.id;
    delete from message_edits where message_id = new.id;
  end if;
  return null;
end
$$;

create trigger message_followed after update of content, mentions, deleted on messages
  for each row when ((old.content, old.mentions, old.deleted) is distinct from (new.content, new.mentions, new.deleted))
  execute function follow_message();

-- A renamed account moves its DMs.
create function move_message_text() returns trigger language plpgsql as $$
begin
  update message_texts set channel = new.channel, ts = new.ts where message_id = new.id;
  return null;
end
$$;

create trigger message_text_moved after update of channel, ts on messages
  for each row when ((old.channel, old.ts) is distinct from (new.channel, new.ts))
  execute function move_message_text();

-- ── Threads and activity ─────────────────────────────────────────────────────────────────────────────────────────

create table thread_follows (
  username text not null,
  root_id bigint not null,
  channel text not null,
  -- Null: has read the thread, without a decision to follow or not.
  following boolean,
  last_read_id bigint not null default 0,
  changed_ts double precision not null,
  primary key (username, root_id)
);
create index thread_follows_root on thread_follows (root_id) where following;

-- Items of a person's inbox (interface 14.2). Mentions are read from `message_mentions`; a row of kind `mention` only
-- records that one was read by itself.
create table activity (
  id bigint generated always as identity primary key,
  username text not null,
  kind text not null check (kind in ('mention', 'reply', 'reaction', 'added', 'reminder')),
  channel text not null,
  -- The reply, the message with the reactions, or the message that mentions.
  message_id bigint not null references messages (id) on delete cascade,
  ts double precision not null,
  -- The `ts` that was read.
  read_ts double precision,
  unique (message_id, kind, username)
);
create index activity_of_person on activity (username, channel, ts);
create index activity_by_age on activity (ts);
create index activity_reminders on activity (username, ts) where kind = 'reminder';

-- The root of the thread of a message: itself if it replies to none.
create function thread_root(of_message bigint) returns bigint language plpgsql stable as $$
declare
  found_id bigint := of_message;
  thread bigint;
  parent bigint;
begin
  loop
    select thread_id, reply_to_id into thread, parent from messages where id = found_id;
    if not found or (thread is null and parent is null) then
      return found_id;
    end if;
    if thread is not null then
      return thread;
    end if;
    found_id := parent;
  end loop;
end
$$;

-- The newest 1,000 living replies in a thread since a time, as JSON; null without one. The rows of a send are one reply.
create function replies_of(root bigint, since double precision) returns jsonb language sql stable as $$
  select jsonb_build_object(
           'count', count(*), 'last_id', max(id), 'last_ts', max(ts),
           'people', (
             select jsonb_agg(sender order by last desc)
               from (select sender, max(ts) as last
                       from unnest(array_agg(send.sender), array_agg(send.ts)) as one (sender, ts)
                      group by sender
                      order by last desc
                      limit 3) person))
    from (select min(id) as id, min(ts) as ts, min(sender) as sender
            from (select id, ts, ord - greatest(part - 1, 0) as first,
                         case when sender in (select username from account_deletions) then 'Deleted User'
                              else sender end as sender
                    from messages
                   where thread_id = root
                     and ts >= since
                     and deleted = 0
                     and sender not in (select username from account_deletions where kind = 'hard')
                   order by ts desc
                   limit 1000) living
           group by first) send
  having count(*) > 0
$$;

-- Names of people whose inbox may list a reply (interface 11.2): followers of its thread, people whom the root mentions,
-- the author of the root, and of the message that it replies to. The first reply makes some of them followers, which its
-- own statement does not see. A function keeps the plan of the sending statement generic: with these queries in it,
-- PostgreSQL planned each send anew, which took longer than the send.
create function followers_of(thread bigint, parent bigint, most integer) returns text[] language sql stable as $$
  select array(
    (select username from thread_follows where root_id = thread and following limit most)
     union
    (select name
       from messages root
      cross join json_array_elements_text(root.mentions::json) as name
      where root.id = thread and name <> '@everyone'
      limit most)
     union
    select concerned.sender from messages concerned where concerned.id in (thread, parent))
$$;

-- The author of the root, the sender, and people whom root or reply mention by name follow the thread. Each reply is
-- activity for its followers and for the author of the message that it replies to. `@adam` and the group `@ada-fans` are no
-- mention of ada by name.
create function note_reply() returns trigger language plpgsql as $$
declare
  root bigint;
begin
  if new.part > 0 then
    return null;
  end if;
  root := coalesce(new.thread_id, thread_root(new.reply_to_id));

  insert into thread_follows (username, root_id, channel, following, changed_ts)
  select person.username, root, new.channel, true, new.ts
    from (select new.sender as username
          union
          select sender from messages where id = root and content_type = 'text' and sender <> 'Deleted User'
          union
          select name
            from messages message
           cross join json_array_elements_text(message.mentions::json) as name
           where message.id in (root, new.id)
             and name <> '@everyone'
             -- Members of a group that the text mentions are not in it by name. The search for the `@` spares most names
             -- the regular expression.
             and (not coalesce(message.extra ? 'groups', false)
                  or case when strpos(lower(message.content), '@' || lower(name)) > 0
                          then message.content ~* ('@' || name || '[-_]*(?![a-z0-9_-])') end)) person
   where not exists (
           select from thread_follows known
            where known.username = person.username
              and known.root_id = root
              and (known.following or (not known.following and person.username <> new.sender)))
   order by person.username
  on conflict (username, root_id) do update
     set following = true, changed_ts = excluded.changed_ts
   where thread_follows.following is null or excluded.username = new.sender;

  insert into activity (username, kind, channel, message_id, ts)
  select person.username, 'reply', new.channel, new.id, new.ts
    from (select username from thread_follows where root_id = root and following
          union
          select sender
            from messages parent
           where parent.id = new.reply_to_id
             and parent.content_type = 'text'
             and parent.sender <> 'Deleted User'
             and not exists (
                   select from thread_follows
                    where username = parent.sender and root_id = root and not following)) person
   where person.username <> new.sender
  on conflict do nothing;
  return null;
end
$$;

create trigger reply_noted after insert on messages
  for each row when (new.reply_to_id is not null)
  execute function note_reply();

-- Keeps a row per message, at the time of its newest reaction by somebody else.
create function note_reaction() returns trigger language plpgsql as $$
declare
  newest double precision;
  author text;
begin
  select message.sender into author
    from messages message
   where message.id = coalesce(new.message_id, old.message_id) and message.content_type = 'text';
  if author is null or author = 'Deleted User' or author = coalesce(new.username, old.username) then
    return null;
  end if;
  select max(ts) into newest
    from reactions
   where message_id = coalesce(new.message_id, old.message_id) and username <> author;
  if newest is null then
    delete from activity where message_id = old.message_id and kind = 'reaction' and username = author;
  else
    insert into activity (username, kind, channel, message_id, ts)
    select author, 'reaction', message.channel, message.id, newest
      from messages message
     where message.id = coalesce(new.message_id, old.message_id)
    on conflict (message_id, kind, username) do update set ts = excluded.ts;
  end if;
  return null;
end
$$;

create trigger reaction_noted after insert or delete on reactions
  for each row execute function note_reaction();

-- ── What a person keeps ──────────────────────────────────────────────────────────────────────────────────────────

-- Saved messages with reminders (interface 11.4). At most 1,000 open ones of a person.
create table saved (
  username text not null references users (username) on update cascade on delete cascade,
  message_id bigint not null references messages (id) on delete cascade,
  saved_ts double precision not null,
  remind_ts double precision,
  reminded_ts double precision,
  done_ts double precision,
  note text,
  primary key (username, message_id)
);
create index saved_of_message on saved (message_id);
create index saved_due on saved (remind_ts) where remind_ts is not null and reminded_ts is null and done_ts is null;
create index saved_open on saved (username) where done_ts is null;

-- Sends at a later time, at most 100 waiting ones of a person (interface 11.5).
create table scheduled (
  id bigint generated always as identity primary key,
  username text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  text text not null,
  reply_to_id bigint,
  send_ts double precision not null,
  created_ts double precision not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  failed_why text,
  -- The time of sending, or of the failure.
  ended_ts double precision,
  -- The failure was read in the inbox.
  read_ts double precision,
  message_id bigint
);
create index scheduled_due on scheduled (send_ts) where state = 'waiting';
create index scheduled_of_person on scheduled (username, state, send_ts);
create index scheduled_ended on scheduled (ended_ts) where state <> 'waiting';
create index scheduled_of_channel on scheduled (channel);

-- Drafts on all devices (interface 11.5). A removed one stays as an empty text for some time, so that an older write
-- loses. `thread_id` 0: of the channel itself.
create table drafts (
  username text not null references users (username) on update cascade on delete cascade,
  channel text not null,
  thread_id bigint not null default 0,
  text text not null,
  updated_ts double precision not null,
  primary key (username, channel, thread_id)
);
create index drafts_removed on drafts (updated_ts) where text = '';
create index drafts_open on drafts (username) where text <> '';
-- Renaming and deleting a channel change its rows.
create index drafts_of_channel on drafts (channel);

-- Revisions of what only the person sees: saved messages and scheduled sends, and drafts. Locked by each of their
-- changes, so that limits hold.
create table own_lists (
  username text primary key references users (username) on update cascade on delete cascade,
  rev bigint not null default 0,
  drafts_rev bigint not null default 0
);

-- ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Uploaded files by stored name (interface 13.1). A send inserts its rows first, without a message; a trigger links them.
create table files (
  name text primary key,
  message_id bigint references messages (id) on delete cascade,
  original_name text not null,
  bytes bigint,
  type text not null,
  -- Pixels of a picture.
  width integer,
  height integer,
  uploader text,
  ts double precision not null
);
create index files_message on files (message_id);
create index files_uploader on files (uploader, ts);
create index files_without_message on files (ts) where message_id is null;
-- Names are stored composed and found folded.
create index files_folded_name on files using gin (search_text(original_name) gin_trgm_ops);

-- Uploads in parts (interface 13.1): their bytes are in the file store under the id. Rows of sent ones stay for a day,
-- so that a repeated request uploads nothing again.
create table uploads (
  id uuid primary key,
  username text not null references users (username) on update cascade on delete cascade,
  original_name text not null,
  bytes bigint not null,
  changed_ts double precision not null,
  sent boolean not null default false
);
create index uploads_username on uploads (username);
create index uploads_changed on uploads (changed_ts);

-- The type of a file of which the stored name alone is known.
create function file_type_of(stored_name text) returns text language sql immutable
return case lower(substring(stored_name from '\.([A-Za-z]+)$'))
         when 'jpg' then 'image/jpeg' when 'jpeg' then 'image/jpeg' when 'png' then 'image/png'
         when 'gif' then 'image/gif' when 'webp' then 'image/webp'
         else 'application/octet-stream' end;

-- `<uuid32hex>_<original name>`; images have no original name.
create function file_name_of(stored_name text) returns text language sql immutable
return case when substr(stored_name, 33, 1) = '_' then substr(stored_name, 34) else stored_name end;

create function link_file() returns trigger language plpgsql as $$
begin
  update files set message_id = new.id, ts = new.ts where name = new.filename;
  if not found then
    insert into files (name, message_id, original_name, type, uploader, ts)
    values (new.filename, new.id, file_name_of(new.filename), file_type_of(new.filename), new.sender, new.ts)
    on conflict (name) do nothing;
  end if;
  return null;
end
$$;

create trigger message_file_linked after insert on messages
  for each row when (new.filename is not null)
  execute function link_file();

create function forget_file() returns trigger language plpgsql as $$
begin
  delete from files where name = old.filename;
  return null;
end
$$;

create trigger message_file_forgotten after update of filename on messages
  for each row when (old.filename is not null and new.filename is null)
  execute function forget_file();

-- Uploaded bytes that have no row in `files` or `uploads`: deleted files, the bytes of cancelled parts, avatars, emoji and
-- logos. They count for the quota of a day. Plain rows without a key or reference: a deletion waits for no other, and for no
-- renaming. The janitor deletes those older than a day.
create table spent_uploads (
  username text not null,
  bytes bigint not null,
  -- Time of the upload.
  ts double precision not null
);
create index spent_uploads_username on spent_uploads (username, ts);
create index spent_uploads_ts on spent_uploads (ts);

-- A file whose message was not stored counts no more: the person sends it again.
create function note_spent_upload() returns trigger language plpgsql as $$
begin
  insert into spent_uploads (username, bytes, ts) values (old.uploader, old.bytes, old.ts);
  return null;
end
$$;

create trigger file_spent after delete on files
  for each row when (old.message_id is not null and old.uploader is not null and old.bytes is not null
                     and old.ts > extract(epoch from now()) - 86400)
  execute function note_spent_upload();

-- ── Calls ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Calls and their invited people (interface 2.8, 3.1). At most one running call per channel: the unique index decides
-- between two people who call each other at the same moment.
create table calls (
  call_id uuid primary key,
  channel text not null,
  initiator text not null,
  state text not null check (state in ('ringing', 'active', 'ended', 'rejected')),
  started_ts double precision not null,
  answered_ts double precision,
  ended_ts double precision,
  screenshare_user text not null default '',
  -- Begun with the camera (interface 4.8), which the card of an incoming call shows.
  video boolean not null default false
);
create unique index calls_living on calls (channel) where state in ('ringing', 'active');
create index calls_ringing on calls (started_ts) where state = 'ringing';
create index calls_ended on calls (ended_ts) where ended_ts is not null;

create table call_participants (
  call_id uuid not null references calls (call_id) on delete cascade,
  username text not null,
  role text not null check (role in ('initiator', 'participant')),
  state text not null check (state in ('pending', 'accepted', 'rejected', 'left')),
  invited_ts double precision not null,
  joined_ts double precision,
  left_ts double precision,
  -- The last time the participant read the call's state: the heartbeat of a call.
  seen_ts double precision not null,
  join_order bigint generated always as identity,
  primary key (call_id, username)
);
create index call_participants_pending on call_participants (username, invited_ts) where state = 'pending';
create index call_participants_user on call_participants (username);

-- Standalone screen shares (interface 3.2). At most one active share per person and channel: a new one ends the old one.
create table screen_shares (
  share_id uuid primary key,
  channel text not null,
  sharer text not null,
  started_ts double precision not null,
  ended_ts double precision,
  state text not null check (state in ('active', 'ended')),
  -- The sharer's last request: shares of absent sharers end.
  seen_ts double precision not null default extract(epoch from clock_timestamp())
);
create unique index screen_shares_active on screen_shares (channel, sharer) where state = 'active';
create index screen_shares_ended on screen_shares (ended_ts) where ended_ts is not null;

-- Signals of calls and of standalone screen shares, keyed by either's id (interface 2.8).
create table signals (
  id bigint generated always as identity primary key,
  session_id uuid not null,
  sender text not null,
  recipient text not null,
  type text not null check (type in ('offer', 'answer', 'ice_candidate')),
  -- The payload as received; jsonb would refuse \u0000 and normalise the text.
  payload json not null,
  ts double precision not null
);
create index signals_inbox on signals (session_id, recipient, id);
create index signals_ts on signals (ts);
-- Counts the waiting signals per sender and recipient.
create index signals_of_pair on signals (session_id, recipient, sender);

-- The legacy media relay (interface 4.10): bounded in number, size and age. Encoded media does not compress.
create table media_chunks (
  seq bigint generated always as identity primary key,
  session_id uuid not null,
  sender text not null,
  is_init boolean not null default false,
  mime_type text,
  data bytea not null,
  ts double precision not null
);
alter table media_chunks alter column data set storage external;
create index media_chunks_of_sender on media_chunks (session_id, sender, seq);
create index media_chunks_ts on media_chunks (ts);

-- ── Administration ───────────────────────────────────────────────────────────────────────────────────────────────

-- Values chosen in the client; they win over those of the settings file.
create table workspace_settings (
  key text primary key,
  value jsonb not null,
  changed_by text not null,
  changed_ts double precision not null
);

-- Acts of administration (interface 16.3). Names stay as they were: an entry outlives its people. Filters ignore case.
create table audit_log (
  id bigint generated always as identity primary key,
  ts double precision not null default extract(epoch from clock_timestamp()),
  actor text not null,
  actor_kind text not null check (actor_kind in ('person', 'bot', 'operator', 'system')),
  action text not null,
  target text,
  channel text,
  detail jsonb not null default '{}',
  address inet
);
create index audit_log_ts on audit_log (ts desc);
create index audit_log_actor on audit_log (actor, ts desc);
create index audit_log_actor_key on audit_log (lower(actor), ts desc);
create index audit_log_target_key on audit_log (lower(target), ts desc);

-- Backups that were asked for, made and proven (ADR 12). Neither table is part of a backup.
create table backups (
  id bigint generated always as identity primary key,
  -- Null: due by the setting backup_hour.
  asked_by text,
  asked_ts double precision not null,
  started_ts double precision,
  done_ts double precision,
  path text,
  -- Added to the target by this backup.
  bytes bigint,
  ok boolean not null default false,
  -- A restore was tried, and every row was equal.
  verified_ts double precision,
  seconds_to_restore double precision,
  report jsonb not null default '{}'
);
create index backups_by_time on backups (asked_ts);
-- At most one row waits.
create unique index backups_waiting on backups ((started_ts is null)) where started_ts is null;

-- The state of BACKUP_DIR as the janitor found it, in a single row.
create table backup_target (
  one boolean primary key default true check (one),
  -- Null without BACKUP_DIR.
  folder text,
  -- Why no backups are made.
  problem text,
  since_ts double precision not null,
  -- When the owners were last told that something is wrong.
  warned_ts double precision
);

-- ── Service ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- Heartbeats of the running processes, every few seconds. A service start is a process that starts while none is alive;
-- only then are people set offline and calls ended (interface 1). Not in Redis, which may be emptied at any moment: the
-- next replica to restart would then end all calls.
create table replicas (
  replica uuid primary key,
  service text not null,
  -- Id of the run of the whole stack, if its starter has set one.
  stack text,
  beat_ts double precision not null
);

-- A row per service start.
create table service_epochs (
  epoch bigint generated always as identity primary key,
  started_ts double precision not null,
  opened_by text not null
);

-- ── For processes of 0.1.0 ───────────────────────────────────────────────────────────────────────────────────────
-- They may run beside 0.2.0 during its upgrade, and after its way back. 0.2.0 uses none of this; a later release drops it.

create index messages_unthreaded on messages (id) where reply_to_id is not null and thread_id is null;
create index files_not_measured on files (name) where bytes is null;
create table unfolded_texts (
  one boolean primary key default true check (one),
  up_to bigint not null
);
