import { removedSoonAfter } from '#shared/access/deleted-accounts.ts'

/** Everything up to this ordinal is read; messages trimmed by retention count as read. */
const READ_ORD = 'greatest(coalesce(marker.last_read_ord, 0), channel.trimmed_ord)'

/** Bits per block of `gone_messages`. */
const BLOCK = 2048

/**
 * SQL for a viewer's unread count in a channel (interface 4.2): messages after the watermark, by others, not deleted.
 * Own messages are never after the own watermark, because sending moves it. The count is therefore the number of
 * messages added since, less the bits of deleted or removed ones (`gone_messages`), without a scan of either. Messages
 * that an account deletion still has to remove are subtracted too (`account_deletions`). Used by four collections.
 * Requires `channels channel`, and `marker`: read_watermarks of the viewer, left-joined.
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
        and gone.block >= ${READ_ORD} / ${BLOCK}) - ${removedSoonAfter('coalesce(marker.last_read_ts, 0)')})::integer`
