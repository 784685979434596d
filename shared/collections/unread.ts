/**
 * SQL for «unread for this viewer in this channel» (interface 4.2): after the watermark, by someone else, not deleted.
 * Own messages are never after one's own watermark, because sending moves it. So what was put into the channel since,
 * less the few of those that were deleted or removed, is the count: no scan of history. What retention has trimmed from
 * the beginning of the channel counts as read. Used by four collections.
 * Wants `channels channel`, and `mark`: read_watermarks of the viewer, left-joined.
 */
export const UNREAD = `
  (channel.message_count - greatest(coalesce(mark.last_read_ord, 0), channel.trimmed_ord) - (
     select count(*)
       from messages gone
      where gone.channel = channel.id
        and gone.deleted = 1
        and gone.ts > coalesce(mark.last_read_ts, 0)) - (
     select count(*)
       from removed_messages removed
      where removed.channel = channel.id
        and not removed.trimmed
        and removed.ts > coalesce(mark.last_read_ts, 0)))::integer`
