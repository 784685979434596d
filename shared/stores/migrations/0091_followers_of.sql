-- Names of people whose inbox may list a reply (interface 10.26): followers of its thread, people whom the root mentions,
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
