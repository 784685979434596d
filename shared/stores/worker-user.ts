import { keysWith } from './keys.ts'

/** Who the previews worker is to Redis, where it is not everybody: see "Redis" in infra/README.md. */
export const WORKER_USER = 'previews'

/**
 * What the previews worker may do in Redis, as rules of its ACL: cards and their pictures, what is known of thumbnails, and
 * the queues that it works through (shared/jobs). It reads hostile pages: whoever takes it over finds no session, and can
 * neither look for keys nor listen nor change the server.
 */
export function workerRights(redisPrefix: string): string[] {
  const keys = keysWith(redisPrefix.replace(/[\\*?[\]]/g, '\\$&'))
  const reachable = [
    `${keys.queuePrefix()}:*`,
    keys.cards(),
    keys.card('*'),
    keys.cardPicture('*'),
    keys.cardWanted('*'),
    keys.cardWorker(),
    keys.thumbnailVerdict('*'),
  ]
  return [...reachable.map(pattern => `~${pattern}`), 'resetchannels', ...COMMANDS]
}

/** By kind of value, because BullMQ's scripts use most of them; `dangerous` is SORT, which reads keys beyond those given. */
const COMMANDS = `
  -@all +@string +@hash +@list +@set +@sortedset +@stream -@dangerous
  +del +unlink +exists +type +rename +expire +pexpire +pexpireat +persist +ttl +pttl
  +eval +evalsha +multi +exec +time +ping +info +quit +client|setname
`
  .trim()
  .split(/\s+/)
