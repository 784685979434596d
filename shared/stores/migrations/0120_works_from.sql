-- works from 0.1.0
-- The oldest release whose processes run on the schema of each migration (docs/adr/0015). Null: no older one does.
alter table schema_migrations add column if not exists works_from text;
