-- works from 0.2.0
-- Outgoing hooks (interface 19.5): events that leave the server. Triggers write `outgoing_events` in the transaction of the
-- change, and only while an active hook wants that kind: without hooks a send pays one index probe. The notifier
-- (services/janitor/notify) turns them into deliveries and deletes them.

create table hooks_out (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null,
  format text not null check (format in ('standard', 'slack')),
  -- Sealed for `hooks_out:<id>:secret` and `…:verify_token` (shared/stores/secrets.ts).
  secret_enc bytea not null,
  -- The former secret, which signs too until `old_until`.
  old_secret_enc bytea,
  old_until double precision,
  verify_token_enc bytea not null,
  bot text not null references users (username) on update cascade on delete cascade,
  events text[] not null,
  -- Null: all channels that the bot reads.
  channels text[],
  triggers text[],
  include_bots boolean not null default false,
  -- A username, null where its person went and nobody was there to follow.
  created_by text,
  created_ts double precision not null,
  active boolean not null default true,
  -- The first failed try after the last success.
  failing_since double precision,
  disabled_why text check (disabled_why in ('gone', 'failing', 'bot', 'person'))
);
create index hooks_out_bot on hooks_out (bot);
create index hooks_out_maker on hooks_out (created_by);
create index hooks_out_active on hooks_out (id) where active;

create table outgoing_events (
  id bigint generated always as identity primary key,
  kind text not null,
  -- Ids of what happened; the notifier reads the rest.
  ref jsonb not null,
  ts double precision not null default extract(epoch from clock_timestamp())
);

create table deliveries (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- The hook.
  target_id bigint not null,
  event jsonb not null,
  bytes integer not null generated always as (octet_length(event::text)) stored,
  attempt integer not null default 0,
  -- `gone`: its hook ended before it was sent.
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'gone')),
  next_try_ts double precision not null,
  -- A janitor sends it now; after this time another one may.
  leased_until double precision,
  last_status integer,
  last_error text,
  last_ms integer,
  created_ts double precision not null,
  done_ts double precision
);
-- By hook: a receiver that is down delays no other one.
create index deliveries_due on deliveries (target_id, next_try_ts) where state = 'waiting';
create index deliveries_of_target on deliveries (target_id, created_ts desc, id desc);
create index deliveries_done on deliveries (done_ts) where state <> 'waiting';

-- In PL/pgSQL, which caches the plan: as a SQL function each call is planned again (120 µs of a send instead of 20).
create function note_outgoing(event text, event_ref jsonb) returns void language plpgsql as $$
begin
  if exists (select from hooks_out where active and event = any(events)) then
    insert into outgoing_events (kind, ref) values (event, event_ref);
  end if;
end
$$;

-- Lines of the system and the further rows of a send are no events.
create function note_outgoing_message() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_outgoing('message.created', jsonb_build_object(
      'message', new.id, 'channel', new.channel, 'word', substring(new.content from '^\s*(\S{1,200})')));
  elsif new.deleted = 1 then
    perform note_outgoing('message.deleted', jsonb_build_object('message', new.id, 'channel', new.channel));
  else
    perform note_outgoing('message.edited', jsonb_build_object('message', new.id, 'channel', new.channel));
  end if;
  return null;
end
$$;
create trigger message_made_outgoing after insert on messages
  for each row when (new.content_type = 'text' and new.part = 0) execute function note_outgoing_message();
create trigger message_changed_outgoing after update of edited_ts, deleted on messages
  for each row when (new.content_type = 'text'
    and (new.deleted > old.deleted or (new.deleted = 0 and new.edited_ts is distinct from old.edited_ts)))
  execute function note_outgoing_message();

create function note_outgoing_reaction() returns trigger language plpgsql as $$
declare
  reaction reactions := case when tg_op = 'INSERT' then new else old end;
begin
  perform note_outgoing(case when tg_op = 'INSERT' then 'reaction.added' else 'reaction.removed' end,
    jsonb_build_object('message', reaction.message_id, 'emoji', reaction.emoji, 'username', reaction.username));
  return null;
end
$$;
create trigger reaction_outgoing after insert or delete on reactions
  for each row execute function note_outgoing_reaction();

create function note_outgoing_channel() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.made_here and new.kind = 'public' then
    perform note_outgoing('channel.created', jsonb_build_object('channel', new.channel));
  end if;
  if new.archived_ts is not null and (tg_op = 'INSERT' or old.archived_ts is null) then
    perform note_outgoing('channel.archived', jsonb_build_object('channel', new.channel));
  end if;
  return null;
end
$$;
create trigger channel_outgoing after insert or update of archived_ts on channel_properties
  for each row execute function note_outgoing_channel();

create function note_outgoing_private() returns trigger language plpgsql as $$
begin
  perform note_outgoing('channel.created', jsonb_build_object('channel', 'private:' || new.id));
  return null;
end
$$;
create trigger private_outgoing after insert on private_channels
  for each row execute function note_outgoing_private();

create function note_outgoing_membership() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.joined <> old.joined then
    perform note_outgoing(case when new.joined then 'member.joined' else 'member.left' end,
      jsonb_build_object('channel', new.channel, 'username', new.username));
  end if;
  return null;
end
$$;
create trigger membership_outgoing after insert or update of joined on channel_memberships
  for each row execute function note_outgoing_membership();

create function note_outgoing_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_outgoing('member.joined',
      jsonb_build_object('channel', 'private:' || new.channel_id, 'username', new.username));
  else
    perform note_outgoing('member.left',
      jsonb_build_object('channel', 'private:' || old.channel_id, 'username', old.username));
  end if;
  return null;
end
$$;
create trigger member_outgoing after insert or delete on private_channel_members
  for each row execute function note_outgoing_member();

-- A person who waits for approval is not there yet.
create function note_outgoing_person() returns trigger language plpgsql as $$
begin
  if new.state = 'active' and (tg_op = 'INSERT' or old.state = 'pending') then
    perform note_outgoing('person.created', jsonb_build_object('username', new.username));
  elsif new.state = 'deactivated' and (tg_op = 'INSERT' or old.state <> 'deactivated') then
    perform note_outgoing('person.deactivated', jsonb_build_object('username', new.username));
  end if;
  return null;
end
$$;
create trigger person_outgoing after insert or update of state on users
  for each row when (new.kind = 'person') execute function note_outgoing_person();

create function note_outgoing_audit() returns trigger language plpgsql as $$
begin
  perform note_outgoing('audit.entry', jsonb_build_object('entry', new.id));
  return null;
end
$$;
create trigger audit_outgoing after insert on audit_log
  for each row execute function note_outgoing_audit();
