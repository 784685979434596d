-- Scans under a lock that permits writes.
alter table presence validate constraint presence_username_fkey;
alter table reset_tokens validate constraint reset_tokens_username_fkey;
alter table channel_prefs validate constraint channel_prefs_username_fkey;
alter table client_ids validate constraint client_ids_sender_fkey;
