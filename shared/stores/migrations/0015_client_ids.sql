-- outside of a transaction

-- Finds client ids older than a day (decisions, Idempotent send). Built without blocking writes. The drop removes the
-- invalid index of an interrupted attempt.
drop index concurrently if exists messages_client_id_ts;
create index concurrently messages_client_id_ts on messages (ts) where client_id is not null;
