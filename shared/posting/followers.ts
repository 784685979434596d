import { MOST_NAMES } from '#shared/notices/notice.ts'

/** More than a notice names: gateways then look them up. */
const MOST_FOLLOWERS = MOST_NAMES + 1

/** SQL: names of people whose inbox may list the message `alias`; null unless it is a reply. */
export const followersOf = (alias: string) => `
  case when ${alias}.reply_to_id is not null
       then followers_of(${alias}.thread_id, ${alias}.reply_to_id, ${MOST_FOLLOWERS}) end`
