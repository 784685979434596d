import { removedSoonAfter } from '#shared/access/deleted-accounts.ts'

/** Up to here everything is read: what retention has trimmed from the beginning of the channel counts as read. */
const READ_ORD = 'greatest(coalesce(mark.last_read_ord, 0), channel.trimmed_ord)'

/** Places in a block of `gone_messages`. */
const BLOCK = 2048

/**
 * SQL for «unread for this viewer in this channel» (interface 4.2): after the watermark, by someone else, not deleted.
 * Own messages are never after one's own watermark, because sending moves it. So the count is what was put into the channel
 * since, less the bits of those that were deleted or removed (`gone_messages`): no scan of history, nor of what was deleted.
 * What the deletion of an account has still to remove is subtracted too (`account_deletions`). Used by four collections.
 * Wants `channels channel`, and `mark`: read_watermarks of the viewer, left-joined.
 */
export const UNREAD = `
  (channel.message_count - ${READ_ORD} - (
     select coalesce(sum(
              case when gone.block = ${READ_ORD} / ${BLOCK}
                   then bit_count(substring(gone.bits from (${READ_ORD} % ${BLOCK})::integer + 1))
                   else bit_count(gone.bits)
              end), 0)
       from gone_messages gone
      where gone.channel = channel.id
        and gone.block >= ${READ_ORD} / ${BLOCK}) - ${removedSoonAfter('coalesce(mark.last_read_ts, 0)')})::integer`
