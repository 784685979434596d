-- works from 0.1.0
-- Texts are searched folded: `uber` finds “Über”. The functions equal shared/domain/fold.ts; their bodies are parsed here,
-- so that they do not depend on a search path. message_texts has folded texts from now on; the janitor folds earlier
-- ones (services/janitor/fold-texts.ts). Texts of ASCII alone stay as they are, because trigrams have no case.

-- Compatibility forms, case, and letters that Unicode does not decompose. Accents stay, as combining marks.
create function accented_text(text) returns text immutable parallel safe
return replace(replace(replace(replace(replace(replace(replace(replace(
         translate(lower(normalize($1, NFKD)),
                   U&'\03C2\0131\2018\2019\02BC\00AD\034F\061C\180E\200B\200C\200D\200E\200F\2060\FE0E\FE0F\FEFF',
                   U&'\03C3i'''''''),
         U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'),
         U&'\00F8', U&'o\0338'), U&'\0142', U&'l\0335'), U&'\0111', U&'d\0335'), U&'\0127', U&'h\0335'),
         U&'\0167', U&'t\0335');

-- The same without accents. Vowel signs of Indic scripts and voicing marks of Japanese are no accents.
create function fold_text(text) returns text immutable parallel safe
return normalize(regexp_replace(accented_text($1),
                                U&'[\0300-\036F\0483-\0487\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0610-\061A\064B-\065F\0670\06D6-\06DC\06DF-\06E8\06EA-\06ED\1AB0-\1AFF\1DC0-\1DFF\20D0-\20FF\FE20-\FE2F]+',
                                '', 'g'),
                 NFC);

create function search_text(text) returns text immutable parallel safe
return case when octet_length($1) = char_length($1) then $1 else fold_text($1) end;

create or replace function put_message_text() returns trigger language plpgsql as $$
begin
  insert into message_texts (message_id, content, channel, ts)
  values (new.id, search_text(new.content), new.channel, new.ts);
  return null;
end
$$;

-- As in 0098, with the folded text.
create or replace function follow_message() returns trigger language plpgsql as $$
declare
  names text[] := case when new.deleted = 0 and new.mentions is not null
                       then array(select json_array_elements_text(new.mentions::json)) else '{}' end;
begin
  if new.deleted = 0 and new.content <> '' then
    insert into message_texts (message_id, content, channel, ts)
    values (new.id, search_text(new.content), new.channel, new.ts)
    on conflict (message_id) do update set content = excluded.content;
  else
    delete from message_texts where message_id = new.id;
  end if;
  delete from message_mentions where message_id = new.id and username <> all (names);
  insert into message_mentions (channel, username, ts, message_id)
  select new.channel, name, new.ts, new.id from unnest(names) name
  on conflict do nothing;
  if new.deleted = 1 then
    delete from reactions where message_id = new.id;
    delete from message_edits where message_id = new.id;
  end if;
  return null;
end
$$;

-- Texts up to this message may be unfolded; no row once all are folded. Until then a search compares words with letters
-- beyond ASCII in both forms.
create table unfolded_texts (
  one boolean primary key default true check (one),
  up_to bigint not null
);
-- Beyond ids that writers take while this commits; folding is idempotent.
insert into unfolded_texts (up_to)
select last_value + 10000 from messages_id_seq where exists (select from message_texts);
