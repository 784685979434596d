import { removedSoonAfter } from '#shared/access/deleted-accounts.ts'

/** Everything up to this ordinal is read; messages trimmed by retention count as read. */
const READ_ORD =
  'greatest(coalesce(marker.unread_from_ord - 1, marker.last_read_ord, 0), channel.trimmed_ord)'

/**
 * SQL: messages after this time are unread, for a left-joined `marker`. Half a microsecond before a message marked as
 * unread, since times of messages are whole microseconds.
 */
export const READ_TS = 'coalesce(marker.unread_from_ts - 0.0000005, marker.last_read_ts, 0)'

/** Own messages that a mark as unread would count: they can follow it, but never the watermark. */
const OWN = `
  case when marker.unread_from_ts is null then 0 else (
     select count(*)
       from messages own
      where lower(own.sender) = lower(marker.username)
        and own.sender = marker.username
        and own.deleted = 0
        and own.channel = channel.id
        and own.ts >= marker.unread_from_ts) end`

/** Bits per block of `gone_messages`. */
const BLOCK = 2048

/**
 * SQL for a viewer's unread count in a channel (interface 4.2): messages after the watermark, by others, not deleted.
 * Own messages are never after the own watermark, because sending moves it. The count is therefore the number of
 * messages added since, less the bits of deleted or removed ones (`gone_messages`), without a scan of either. Messages
 * that an account deletion still has to remove are subtracted too (`account_deletions`). Where the viewer marked a
 * message as unread, it counts from there, less the viewer's own messages. Used by four collections.
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
        and gone.block >= ${READ_ORD} / ${BLOCK}) - ${removedSoonAfter(READ_TS)} - ${OWN})::integer`
