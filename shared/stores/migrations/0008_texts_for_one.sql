-- works from 0.2.0
-- A text that a bot sends to one person by itself (chat.postEphemeral, interface 19.8) answers no command.

alter table command_answers alter column command drop not null;
