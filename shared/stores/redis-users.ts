import { type Keys, keysWith } from './keys.ts'

/** The processes that are users of their own in Redis, because they handle hostile input: see "Redis" in infra/README.md. */
export const REDIS_USERS = ['previews', 'thumbnails'] as const

export type RedisUser = (typeof REDIS_USERS)[number]

/** The keys of each user: its BullMQ queue (shared/jobs) and its results. No session, no limit, no key of the other user. */
const KEYS: Record<RedisUser, (keys: Keys) => string[]> = {
  previews: keys => [
    `${keys.queuePrefix()}:previews:*`,
    keys.cards(),
    keys.card('*'),
    keys.cardPicture('*'),
    keys.cardWanted('*'),
    keys.cardWorker(),
  ],
  thumbnails: keys => [`${keys.queuePrefix()}:thumbnails:*`, keys.thumbnailVerdict('*')],
}

/** The rights of a user as rules of a Redis ACL. The user can neither list keys, nor subscribe, nor change the server. */
export function redisRights(user: RedisUser, redisPrefix: string): string[] {
  const keys = keysWith(redisPrefix.replace(/[\\*?[\]]/g, '\\$&'))
  return [...KEYS[user](keys).map(pattern => `~${pattern}`), 'resetchannels', ...COMMANDS]
}

/** By category, because BullMQ's scripts use most commands; `dangerous` includes SORT, which reads keys beyond its arguments. */
const COMMANDS = `
  -@all +@string +@hash +@list +@set +@sortedset +@stream -@dangerous
  +del +unlink +exists +type +rename +expire +pexpire +pexpireat +persist +ttl +pttl
  +eval +evalsha +multi +exec +time +ping +info +quit +client|setname
`
  .trim()
  .split(/\s+/)
