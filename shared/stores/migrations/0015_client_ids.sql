-- outside of a transaction

-- A repeated send is the same send for a day (decisions, Idempotent send): how those are found that are older. People write
-- while it is made, however many messages there are. What an interrupted try has left is no index, only its name.
drop index concurrently if exists messages_client_id_ts;
create index concurrently messages_client_id_ts on messages (ts) where client_id is not null;
