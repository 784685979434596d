-- works from 0.1.0
-- The request that used a client id: another one with the same id is refused. Null: of an older release.
alter table client_ids add column path text;
