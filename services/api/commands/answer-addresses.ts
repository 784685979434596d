import { createHash, randomBytes } from 'node:crypto'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Place } from './give-answer.ts'

const LIVES: Seconds = 30 * 60
const USES = 5

/** The asker and the place of a late answer. */
export interface Asked extends Place {
  command: string
  /** A command of the same name that was made later gets none. */
  madeTs: Seconds
  asker: Username
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Returns the token of an address that takes five answers within half an hour. An entry of the list is a use. */
export async function openAnswers({ redis, keys }: Stores, asked: Asked): Promise<string> {
  const token = randomBytes(20).toString('hex')
  const key = keys.commandAnswers(hashOf(token))
  const use = JSON.stringify(asked)
  await redis
    .multi()
    .rpush(key, ...Array<string>(USES).fill(use))
    .expire(key, LIVES)
    .exec()
  return token
}

/** Undefined for an unknown or used-up address. */
export async function askedAt({ redis, keys }: Stores, token: string): Promise<Asked | undefined> {
  return read(await redis.lindex(keys.commandAnswers(hashOf(token)), 0))
}

/** The same, and takes one use. */
export async function takeUse({ redis, keys }: Stores, token: string): Promise<Asked | undefined> {
  return read(await redis.lpop(keys.commandAnswers(hashOf(token))))
}

const read = (use: string | null) => (use === null ? undefined : (JSON.parse(use) as Asked))
