-- Items of a person's inbox that happened to their messages: replies and reactions (decisions, Inbox). Mentions are read
-- from `message_mentions`; a row of kind `mention` only records that one was read by itself. `username` references no
-- account: the trigger runs under the clock of the channel, and would lock accounts in the wrong order.
create table activity (
  id bigint generated always as identity primary key,
  username text not null,
  kind text not null check (kind in ('mention', 'reply', 'reaction')),
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

-- The images of a send follow its text within microseconds: the send is one reply.
create function note_reply() returns trigger language plpgsql as $$
begin
  insert into activity (username, kind, channel, message_id, ts)
  select parent.sender, 'reply', new.channel, new.id, new.ts
    from messages parent
   where parent.id = new.reply_to_id
     and parent.content_type = 'text'
     and parent.sender not in (new.sender, 'Deleted User')
     and not exists (
           select from messages earlier
            where earlier.channel = new.channel
              and earlier.ts < new.ts
              and earlier.ts > new.ts - 0.000002
              and earlier.reply_to_id = new.reply_to_id
              and earlier.sender = new.sender)
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

-- Choices of a person, merged over the defaults of the service. A row exists once something was chosen.
create table preferences (
  username text primary key references users (username) on update cascade on delete cascade,
  prefs jsonb not null default '{}',
  share_read boolean not null generated always as (coalesce((prefs ->> 'share_read')::boolean, true)) stored
);
-- The few people whose read markers others do not see.
create index preferences_hides_read on preferences (username) where not share_read;
