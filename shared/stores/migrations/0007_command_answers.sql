-- works from 0.2.0
-- Late answers of commands to the person who gave them: items of their inbox for a day (interface 19.6).

create table command_answers (
  id bigint generated always as identity primary key,
  username text not null references users (username) on update cascade on delete cascade,
  -- Where the command was given.
  channel text not null,
  command text not null,
  -- The bot of the command; null: gone.
  bot text references users (username) on update cascade on delete set null,
  content text not null,
  ts double precision not null,
  read_ts double precision
);
create index command_answers_user on command_answers (username, ts);
create index command_answers_bot on command_answers (bot);
create index command_answers_age on command_answers (ts);
