-- works from 0.1.0
-- The part of a watermark that joining set: messages up to it were never read by the person, who counts as a reader of
-- later ones only. 0 without one. Rows from before have 0; for them the time of sign-up takes its place.
alter table read_watermarks add column joined_ts double precision not null default 0;
