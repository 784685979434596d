-- outside of a transaction
-- works from 0.1.0

-- Names of files are stored composed and found folded; the previous index serves searches until then.
update files set original_name = normalize(original_name, NFC) where original_name is not NFC normalized;

drop index concurrently if exists files_folded_name;
create index concurrently files_folded_name on files using gin (search_text(original_name) gin_trgm_ops);
drop index concurrently if exists files_original_name;
analyze files;
