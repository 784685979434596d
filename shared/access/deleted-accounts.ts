import { DELETED_SENDER } from '#shared/domain/username.ts'

/*
 * SQL that hides deleted accounts while the janitor still rewrites their rows (`account_deletions`, a few rows at most,
 * read once per statement). Each fragment requires `messages message`.
 */

/** Condition: no hard deletion removes the message. */
export const IS_NOT_REMOVED = `message.sender not in (select username from account_deletions where kind = 'hard')`

/** The sender, without the names of accounts that are being deleted. */
export const SHOWN_SENDER = `
  case when message.sender in (select username from account_deletions) then '${DELETED_SENDER}' else message.sender end`

/** The mentions of a message, without the names of accounts that are being deleted. */
export const SHOWN_MENTIONS = `
  case when message.mentions is not null and exists (select from account_deletions) then shown_mentions(message.mentions)
       else message.mentions end`

/** Messages in `channels channel` after `ts` that hard deletions still have to remove: they are not unread. */
export const removedSoonAfter = (ts: string) => `(
  select coalesce(sum(pending.count), 0)
    from account_deletions deletion
   cross join lateral (
         select count(*) as count
           from messages message
          where lower(message.sender) = lower(deletion.username)
            and message.sender = deletion.username
            and message.deleted = 0
            and message.channel = channel.id
            and message.ts > ${ts}) pending
   where deletion.kind = 'hard')`
