-- outside of a transaction

-- Fills the places of texts from before 0098_places_of_texts.sql without blocking writes, and indexes them with the
-- trigrams. The previous index serves searches until then. An interrupted attempt is repeated.
call fill_text_places();

drop index concurrently if exists message_texts_places;
create index concurrently message_texts_places on message_texts
  using gin (content gin_trgm_ops, (text_places(channel, ts)));
drop index concurrently if exists message_texts_trgm;
alter index message_texts_places rename to message_texts_trgm;
analyze message_texts;
