-- outside of a transaction

alter table activity validate constraint activity_kind_check;
