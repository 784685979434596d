-- Threads (interface 10.26). Constant defaults rewrite no rows; the janitor fills `thread_id` of older replies.
alter table messages
  -- The first message of the chain of replies; null for messages that reply to none.
  add column thread_id bigint,
  -- Place in a send of several rows, from the second row on; otherwise 0.
  add column part smallint not null default 0;

-- References no account: rows are inserted under the clock of the channel, and accounts are locked before it.
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

-- The root of the thread of a message, also for replies whose `thread_id` is not filled yet.
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

-- As in 0029, and: the author of the root, the sender, and people whom root or reply mention by name follow the thread. Each
-- reply is activity for its followers and for the author of the message that it replies to.
create or replace function note_reply() returns trigger language plpgsql as $$
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
             -- Members of a group that the text mentions are not in it by name.
             and (not coalesce(message.extra ? 'groups', false)
                  or strpos(lower(message.content), '@' || lower(name)) > 0)) person
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
