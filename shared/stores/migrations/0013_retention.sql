-- Retention by age removes the first messages of a channel: unread counts begin after the last removed one.
alter table channels add column trimmed_ord bigint not null default 0;

-- For retention by size, which removes the oldest attachments.
create index messages_with_file on messages (ts) where filename is not null;
