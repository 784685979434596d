-- As in 0055, and: `@adam` and the group `@ada-fans` are no mention of ada by name.
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
