import { type Keys, keysWith } from './keys.ts'

/** Processes with their own Redis users, because they handle hostile input: see "A Redis of your own" in docs/operations.md. */
export const REDIS_USERS = ['previews', 'thumbnails'] as const

export type RedisUser = (typeof REDIS_USERS)[number]

/** Keys of each user: its BullMQ queues (shared/jobs) and their results; no sessions, limits or keys of the other user. */
const KEYS: Record<RedisUser, (keys: Keys) => string[]> = {
  previews: keys => [
    `${keys.queuePrefix()}:previews:*`,
    keys.cards(),
    keys.card('*'),
    keys.cardPicture('*'),
    keys.cardWanted('*'),
    keys.cardWorker(),
    `${keys.queuePrefix()}:outgoing:*`,
    keys.outgoing('*'),
    keys.outgoingAnswer('*'),
    keys.outgoingWorker(),
  ],
  thumbnails: keys => [`${keys.queuePrefix()}:thumbnails:*`, keys.thumbnailVerdict('*')],
}

/** Returns a user's rights as Redis ACL rules. They exclude listing keys, subscribing, and server administration. */
export function redisRights(user: RedisUser, redisPrefix: string): string[] {
  const keys = keysWith(redisPrefix.replace(/[\\*?[\]]/g, '\\$&'))
  return [...KEYS[user](keys).map(pattern => `~${pattern}`), 'resetchannels', ...COMMANDS]
}

/**
 * By category, because BullMQ's scripts use most commands; `dangerous` includes SORT, which reads keys beyond its
 * arguments.
 */
const COMMANDS = `
  -@all +@string +@hash +@list +@set +@sortedset +@stream -@dangerous
  +del +unlink +exists +type +rename +expire +pexpire +pexpireat +persist +ttl +pttl
  +eval +evalsha +multi +exec +time +ping +info +quit +client|setname
`
  .trim()
  .split(/\s+/)
