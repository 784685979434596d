import { EVERYONE } from '#shared/domain/mentions.ts'

/** More than a notice names (shared/notices/notice.ts): others are then looked up by channel. */
const MOST_FOLLOWERS = 13

/**
 * SQL: names of people whose inbox may list the message `alias`: followers of its thread, people whom the root
 * mentions, the author of the root, and of the message that it replies to. Null unless it is a reply. The first reply
 * makes some of them followers, which its own statement does not see.
 */
export const followersOf = (alias: string) => `
  case when ${alias}.reply_to_id is not null then array(
    (select username from thread_follows where root_id = ${alias}.thread_id and following limit ${MOST_FOLLOWERS})
     union
    (select name
       from messages root
      cross join json_array_elements_text(root.mentions::json) as name
      where root.id = ${alias}.thread_id and name <> '${EVERYONE}'
      limit ${MOST_FOLLOWERS})
     union
    select concerned.sender from messages concerned where concerned.id in (${alias}.thread_id, ${alias}.reply_to_id)) end`
