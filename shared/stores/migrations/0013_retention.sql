-- Retention by age takes messages from the beginning of a channel: unread counts begin after the last that is gone.
alter table channels add column trimmed_ord bigint not null default 0;

-- Oldest first, of the messages that carry a file: what goes when the attachments become too much.
create index messages_with_file on messages (ts) where filename is not null;
