/** More than a notice names (shared/notices/notice.ts): others are then looked up by channel. */
const MOST_FOLLOWERS = 13

/** SQL: names of people whose inbox may list the message `alias`; null unless it is a reply. */
export const followersOf = (alias: string) => `
  case when ${alias}.reply_to_id is not null
       then followers_of(${alias}.thread_id, ${alias}.reply_to_id, ${MOST_FOLLOWERS}) end`
