-- works from 0.2.0
-- Outgoing hooks (interface 19.5): an event of each request that sends rows, as of each that sends files alone. Rows of a
-- reply that come in later requests (`part_of`, 4.3) all have `part` > 0, which the former trigger took for further rows.

-- `rows`: of the request. They follow each other in the channel, from that of the event on.
create function note_outgoing_send() returns trigger language plpgsql as $$
begin
  if exists (select from hooks_out where active and 'message.created' = any(events)) then
    insert into outgoing_events (kind, ref)
    select 'message.created', jsonb_build_object(
             'message', id, 'channel', channel, 'word', substring(content from '^\s*(\S{1,200})'), 'rows', rows)
      from (select id, channel, content, ord, row_number() over (send order by ord) as place, count(*) over send as rows
              from sent
             where content_type = 'text'
            window send as (partition by channel, ord - greatest(part - 1, 0))) row
     where place = 1
     order by ord;
  end if;
  return null;
end
$$;

create or replace trigger message_made_outgoing after insert on messages
  referencing new table as sent
  for each statement execute function note_outgoing_send();

create or replace function note_outgoing_message() returns trigger language plpgsql as $$
begin
  perform note_outgoing(
    case when new.deleted = 1 then 'message.deleted' else 'message.edited' end,
    jsonb_build_object('message', new.id, 'channel', new.channel));
  return null;
end
$$;
