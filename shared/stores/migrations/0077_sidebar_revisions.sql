-- Rises with each change of the own sidebar (interface 10.3), so that a tab knows frames older than its own change.
create table sidebar_revisions (
  username text primary key references users (username) on update cascade on delete cascade,
  rev bigint not null
);
