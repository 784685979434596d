-- Rises when the maker of an emoji gets another name. Apart from `rev`, because guests may not count renamings of people
-- whom they do not see.
alter table emoji_revision add column makers_rev bigint not null default 0;
